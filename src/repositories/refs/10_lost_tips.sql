-- Why a store is inexact: objects that refs pointed to and do not any more. Where other refs reach them all, it is exact again.
CREATE TABLE lost_tip (
  repo_id INTEGER NOT NULL,
  -- Empty: something else has left objects, or may have, that no ref reaches.
  oid TEXT NOT NULL,
  PRIMARY KEY (repo_id, oid)
) STRICT, WITHOUT ROWID;
INSERT INTO lost_tip (repo_id, oid) SELECT repo_id, '' FROM ref_state WHERE is_exact = 0;
