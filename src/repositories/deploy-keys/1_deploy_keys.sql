-- Keys that open one repository and no account. One key may be a deploy key of many repositories, once of each.
CREATE TABLE deploy_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL REFERENCES public_key (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  is_read_only INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (repo_id, key_id),
  UNIQUE (repo_id, title)
) STRICT;
CREATE INDEX deploy_key_key ON deploy_key (key_id);

-- The last use of a key takes the key with it, also when a repository goes: then it may be used anew, by a person too.
CREATE TRIGGER deploy_key_removed AFTER DELETE ON deploy_key
WHEN NOT EXISTS (SELECT 1 FROM deploy_key WHERE key_id = OLD.key_id) BEGIN
  DELETE FROM public_key WHERE id = OLD.key_id;
END;
