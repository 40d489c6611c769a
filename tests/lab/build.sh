#!/bin/sh
# Builds the replayed drive.
#
# usage: build.sh OUTPUT-FILE
# CC, CFLAGS: as ever.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
# shellcheck disable=SC2086 # flags are words
exec ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I "$top/include" -I "$top/src" ${CFLAGS:--O2 -g} \
	-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wvla -Wstrict-prototypes \
	-o "$1" "$here"/target/*.c "$top"/src/base/arena.c \
	"$top"/src/base/bytes.c "$top"/src/base/error.c "$top"/src/capture/capture.c \
	"$top"/src/capture/file_read.c "$top"/src/capture/lines.c "$top"/src/command/page_id.c \
	"$top"/src/command/sense.c "$top"/src/command/ata_registers.c -lsgutils2 -lm
