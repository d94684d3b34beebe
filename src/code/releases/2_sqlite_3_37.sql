-- Lets SQLite 3.37 write here: unixepoch() needs 3.38.
DROP TRIGGER release_asset_removed;
CREATE TRIGGER release_asset_removed AFTER DELETE ON release_asset BEGIN
  UPDATE blob
  SET use_count = use_count - 1, unused_since = iif(use_count = 1, CAST(strftime('%s', 'now') AS INTEGER), NULL)
  WHERE digest = OLD.digest;
END;
