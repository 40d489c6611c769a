#!/bin/sh
# make demo: what assay says of the drives that the repository brings along.
#
# usage: data/drives/demo.sh ASSAY
set -eu
cd "$(dirname "$0")/../.."
assay=$1
for drive in data/drives/*.capture; do
    echo
    echo "\$ assay show $drive"
    "$assay" show "$drive"
done
echo
echo "Where a line comes from: $assay show -v data/drives/hgst-ultrastar-ssd800mm-800gb-worn.capture"
echo "For scripts:             $assay show -j data/drives/hgst-ultrastar-ssd800mm-800gb-worn.capture"
