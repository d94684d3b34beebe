-- What is given out of a repository, under a tag. A draft may have one that is not there yet.
CREATE TABLE release (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  tag_name TEXT NOT NULL,
  -- Branch or commit that the tag is or was to be made at.
  target TEXT NOT NULL,
  title TEXT NOT NULL,
  note TEXT NOT NULL,
  is_draft INTEGER NOT NULL,
  is_prerelease INTEGER NOT NULL,
  -- Null: the account is gone.
  publisher_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  -- When it was published; of a draft, when it was begun.
  created_at INTEGER NOT NULL,
  UNIQUE (repo_id, tag_name)
) STRICT;
CREATE INDEX release_order ON release (repo_id, created_at, id);
CREATE INDEX release_publisher ON release (publisher_id) WHERE publisher_id IS NOT NULL;

-- Files of a release. The bytes are a blob's, which counts those that name it.
CREATE TABLE release_asset (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What its address tells of it.
  uuid TEXT NOT NULL UNIQUE,
  release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
  uploader_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  digest TEXT NOT NULL REFERENCES blob (digest),
  download_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX release_asset_release ON release_asset (release_id, name);
CREATE INDEX release_asset_uploader ON release_asset (uploader_id) WHERE uploader_id IS NOT NULL;
CREATE INDEX release_asset_digest ON release_asset (digest);
CREATE TRIGGER release_asset_added AFTER INSERT ON release_asset BEGIN
  UPDATE blob SET use_count = use_count + 1, unused_since = NULL WHERE digest = NEW.digest;
END;
CREATE TRIGGER release_asset_removed AFTER DELETE ON release_asset BEGIN
  UPDATE blob SET use_count = use_count - 1, unused_since = iif(use_count = 1, unixepoch(), NULL) WHERE digest = OLD.digest;
END;

-- Derived: releases that are no drafts. The triggers keep it.
ALTER TABLE repository ADD COLUMN release_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER release_added AFTER INSERT ON release WHEN NEW.is_draft = 0 BEGIN
  UPDATE repository SET release_count = release_count + 1 WHERE id = NEW.repo_id;
END;
CREATE TRIGGER release_removed AFTER DELETE ON release WHEN OLD.is_draft = 0 BEGIN
  UPDATE repository SET release_count = release_count - 1 WHERE id = OLD.repo_id;
END;
CREATE TRIGGER release_published AFTER UPDATE OF is_draft ON release WHEN OLD.is_draft <> NEW.is_draft BEGIN
  UPDATE repository SET release_count = release_count + OLD.is_draft - NEW.is_draft WHERE id = NEW.repo_id;
END;
