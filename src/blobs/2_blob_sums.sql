-- What the parts of a file are checked by when they are read. Those from before this have it from when they are first read.
CREATE TABLE derived_blob_sums (
  digest TEXT PRIMARY KEY REFERENCES blob (digest) ON DELETE CASCADE,
  -- CRC-32 of each 256 KiB, 4 bytes each, the lowest first.
  sums BLOB NOT NULL
) STRICT;
