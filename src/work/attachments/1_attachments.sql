-- Files that people put beside issues and comments. The bytes are a blob's, which counts those that name it.
CREATE TABLE attachment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What its address tells of it.
  uuid TEXT NOT NULL UNIQUE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  -- NULL: beside the issue's own text.
  comment_id INTEGER REFERENCES comment (id) ON DELETE CASCADE,
  uploader_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  digest TEXT NOT NULL REFERENCES blob (digest),
  download_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attachment_issue ON attachment (issue_id, comment_id, id);
CREATE INDEX attachment_comment ON attachment (comment_id, id) WHERE comment_id IS NOT NULL;
CREATE INDEX attachment_repo ON attachment (repo_id);
CREATE INDEX attachment_uploader ON attachment (uploader_id) WHERE uploader_id IS NOT NULL;
CREATE INDEX attachment_digest ON attachment (digest);
CREATE TRIGGER attachment_added AFTER INSERT ON attachment BEGIN
  UPDATE blob SET use_count = use_count + 1, unused_since = NULL WHERE digest = NEW.digest;
END;
CREATE TRIGGER attachment_removed AFTER DELETE ON attachment BEGIN
  UPDATE blob SET use_count = use_count - 1, unused_since = iif(use_count = 1, unixepoch(), NULL) WHERE digest = OLD.digest;
END;
