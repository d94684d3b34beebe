-- Files by their digest, each kept once however many things name it. Triggers beside the tables of those things count them.
CREATE TABLE blob (
  -- SHA-256, in hexadecimal.
  digest TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  use_count INTEGER NOT NULL DEFAULT 0,
  -- Since when nothing names it: after a while of grace its file goes.
  unused_since INTEGER
) STRICT;
CREATE INDEX blob_unused ON blob (unused_since) WHERE unused_since IS NOT NULL;
