-- When the packs of each store were last read from end to end, and what is wrong with them. A wiki's has the id of its repository, negated.
CREATE TABLE derived_pack_check (
  store_id INTEGER PRIMARY KEY,
  -- In seconds since 1970.
  checked_at INTEGER NOT NULL,
  -- Empty: nothing; else a sentence on each line.
  faults TEXT NOT NULL
) STRICT;
CREATE INDEX derived_pack_check_faults ON derived_pack_check (store_id) WHERE faults <> '';
CREATE TRIGGER derived_pack_check_of_deleted AFTER DELETE ON repository BEGIN
  DELETE FROM derived_pack_check WHERE store_id IN (old.id, -old.id);
END;
