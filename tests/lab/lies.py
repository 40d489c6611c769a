#!/usr/bin/python3
"""Captures of the healthy drives of data/drives in which one thing is a lie.

usage: lies.py DRIVES OUT        Writes OUT/NAME.capture, and prints "NAME VERDICT" for each: the
                                 verdict of assay verify that is to fail, and no other.

Where the drive tells the same thing twice both places lie; checksums are right.
"""
import os
import sys

SECTOR = 512
ECO, PLUS = "sandisk-cloudspeed-eco-960gb-healthy", "sandisk-ultra-plus-256gb-healthy"
LIGHTNING, MM = "sandisk-lightning-lb406s-healthy", "hgst-ultrastar-ssd800mm-800gb-healthy"

# What stands at the beginning of a command, or "ata COMMAND FEATURE LBA" of a pass-through.
INQUIRY, CAPACITY, MODES = "12 00", "9e 10", "5a 00 3f"
ENDURANCE, TESTS = "4d 00 51", "4d 00 55"
TRANSLATED, IDENTIFY = "12 01 89", "ata ec"
SMART = "ata b0 d0"
STATISTICS, MORE_STATISTICS = "ata 2f 00 000104", "ata 2f 00 000404"  # pages 1, and 4 to 7


def identify(offset, data):
    """Words of IDENTIFY, there and in the translator's copy."""
    return [(IDENTIFY, offset, data), (TRANSLATED, offset + 60, data)]


def ata_text(text):
    return bytes(ord(text[i ^ 1]) for i in range(len(text)))


def sectors(count):
    """The size of an ATA drive."""
    return identify(200, count.to_bytes(8, "little")) + capacity(count)


def capacity(count):
    return [(CAPACITY, 0, (count - 1).to_bytes(8, "big"))]


def attribute(ident, raw):
    return [(SMART, ident, raw.to_bytes(4, "little"))]


# One step less: 1,953,504 sectors are the GB of IDEMA LBA1-03.
LIES = (
    ("eco-short", ECO, "capacity.bytes", sectors(1875385008 - 1953504)),
    ("eco-firmware", ECO, "genuine.firmware", identify(46, ata_text("RZ03PR1A"))),
    ("eco-worn", ECO, "endurance.rated_written_bytes",
     attribute(245, 130) + [(MORE_STATISTICS, 3 * SECTOR + 8, b"\x82")]),
    ("eco-hours", ECO, "new.hours", attribute(9, 2000) + [(STATISTICS, 16, (2000).to_bytes(4, "little"))]),
    ("plus-short", PLUS, "capacity.bytes", sectors(500116079 - 1953504)),
    ("plus-firmware", PLUS, "genuine.firmware", identify(46, ata_text("A19K1P7Q"))),
    ("plus-hours", PLUS, "new.hours", attribute(9, 0)),
    ("lightning-short", LIGHTNING, "capacity.bytes", capacity(781422768 - 1953504)),
    ("lightning-firmware", LIGHTNING, "genuine.firmware", [(INQUIRY, 32, b"d323")]),
    ("lightning-cache", LIGHTNING, "power_loss.write_cache", [(MODES, "caching", b"\x04")]),
    ("lightning-protection", LIGHTNING, "protection.capable", [(INQUIRY, 5, b"\0")]),
    ("lightning-hours", LIGHTNING, "new.hours", [(TESTS, 8, (2000 * 60).to_bytes(4, "big"))]),
    ("mm-short", MM, "capacity.bytes", capacity(1562824368 - 1953504)),
    ("mm-firmware", MM, "genuine.firmware", [(INQUIRY, 32, b"FAKE")]),
    ("mm-worn", MM, "endurance.rated_written_bytes", [(ENDURANCE, 11, b"\x82")]),
    ("mm-hours", MM, "new.hours", [(TESTS, 8, (2000 * 60).to_bytes(4, "big"))]),
)


def name_of(cdb):
    """As the commands above are named, of the words of a cdb line."""
    if cdb[0] != "85":
        return " ".join(cdb)
    lba = f" {cdb[12]}{cdb[10]}{cdb[8]}" if cdb[14] == "2f" else ""
    return f"ata {cdb[14]} {cdb[4]}{lba}"


def is_of(cdb, wanted):
    name = name_of(cdb)
    return name == wanted or name.startswith(wanted + " ")


class Record:
    """A command of a capture, and its data if it has any."""

    def __init__(self, lines, at):
        self.cdb = lines[at].split("#")[0].split()[1:]
        self.start = self.end = None
        for i in range(at + 1, len(lines)):
            if lines[i].startswith("cdb"):
                break
            if lines[i] == "data":
                self.start = self.end = i + 1
            elif self.start and self.end == i and lines[i] and lines[i][0] in "0123456789abcdef":
                self.end = i + 1
        rows = lines[self.start:self.end] if self.start else []
        self.data = bytearray.fromhex(" ".join(row.split("#")[0] for row in rows))

    def place(self, offset):
        if offset == "caching":  # byte 2 of that mode page
            at = 8 + int.from_bytes(self.data[6:8], "big")
            while self.data[at] & 0x3f != 8:
                at += 2 + self.data[at + 1]
            return at + 2
        if is_of(self.cdb, SMART):  # the raw value of that attribute
            return next(at + 5 for at in range(2, 362, 12) if self.data[at] == offset)
        return offset

    def put(self, offset, data):
        at = self.place(offset)
        if self.data[at:at + len(data)] == data:
            raise SystemExit(f"{' '.join(self.cdb)}: no lie at {at}")
        start = at - (at - 60) % SECTOR if is_of(self.cdb, TRANSLATED) else at - at % SECTOR
        summed = sum(self.data[start:start + SECTOR]) % 256 == 0
        self.data[at:at + len(data)] = data
        if summed and len(self.data) >= start + SECTOR and not is_of(self.cdb, INQUIRY):
            self.data[start + SECTOR - 1] = -sum(self.data[start:start + SECTOR - 1]) % 256

    def rows(self):
        return [self.data[i:i + 16].hex(" ") for i in range(0, len(self.data), 16)]


def lie(text, edits):
    lines = text.split("\n")
    at = 0
    done = set()
    while at < len(lines):
        if lines[at].startswith("cdb"):
            record = Record(lines, at)
            for edit in edits:
                if record.data and is_of(record.cdb, edit[0]):
                    record.put(edit[1], edit[2])
                    done.add(edit[0])
            if record.data:
                lines[record.start:record.end] = record.rows()
        at += 1
    missing = {edit[0] for edit in edits} - done
    if missing:
        raise SystemExit(f"no such command: {missing}")
    return "\n".join(lines)


def main(drives, out):
    os.makedirs(out, exist_ok=True)
    for name, drive, verdict, edits in LIES:
        with open(f"{drives}/{drive}.capture", encoding="utf-8") as file:
            text = file.read()
        with open(f"{out}/{name}.capture", "w", encoding="utf-8") as file:
            file.write(lie(text, edits))
        print(name, verdict)


if __name__ == "__main__":
    main(*sys.argv[1:])
