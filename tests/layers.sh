#!/bin/sh
# No arrow points left: which folder may include whose headers.
#
# Public headers (include/assay) stand for the folder that implements them.
set -eu
cd "$(dirname "$0")/.."

# folder: public headers that it may include
allowed='
base: arena array bytes data error member
transport: arena array clock bytes error page capture transport command
command: arena array clock bytes error page capture transport command
capture: arena array bytes error page capture transport command collect import
fact: arena array bytes error page capture command fact decoder
decoders: arena array bytes page capture command fact decoder
spec: arena array bytes data error page capture fact decoder spec quantity member
judge: arena array bytes error page capture fact decoder spec render verify health
history: arena array clock bytes error page capture import fact decoder render spec history
measure: arena array clock bytes data error page capture fact decoder transport command histogram workload engine measure purge meter thermometer power member
render: arena array bytes error page capture fact decoder render
alert: arena array clock error fact render history alert
config: arena array error fact render health config
cli: *
'
failed=0
for file in src/*/*.[ch] decoders/*.[ch]; do
    folder=$(dirname "$file")
    folder=${folder#src/}
    may=$(printf '%s\n' "$allowed" | sed -n "s/^$folder: //p")
    [ -n "$may" ] || { echo "$file: tests/layers.sh does not know $folder/"; failed=1; continue; }
    [ "$may" = '*' ] && continue
    for header in $(sed -n 's/^#include "assay\/\(.*\)\.h"$/\1/p' "$file"); do
        case " $may " in
        *" $header "*) ;;
        *) echo "$file: $folder/ may not include assay/$header.h"; failed=1 ;;
        esac
    done
    for header in $(sed -n 's/^#include "\([^"]*\/[^"]*\)"$/\1/p' "$file"); do
        case $header in
        assay/* | "$folder"/*) ;;
        *) echo "$file: a private header of another folder: $header"; failed=1 ;;
        esac
    done
done
exit $failed
