-- Lets SQLite 3.37 write here: unixepoch() needs 3.38.
DROP TRIGGER attachment_removed;
CREATE TRIGGER attachment_removed AFTER DELETE ON attachment BEGIN
  UPDATE blob
  SET use_count = use_count - 1, unused_since = iif(use_count = 1, CAST(strftime('%s', 'now') AS INTEGER), NULL)
  WHERE digest = OLD.digest;
END;
