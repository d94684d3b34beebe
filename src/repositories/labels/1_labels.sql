-- What issues and pull requests are sorted by. A label belongs to a repository, or to an organization and so to all that it owns.
CREATE TABLE label (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  org_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  -- Six hexadecimal digits in lower case.
  color TEXT NOT NULL,
  -- One of the labels with the same scope (what comes before the last `/` of the name) excludes the others.
  is_exclusive INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (org_id IS NULL))
) STRICT;
CREATE INDEX label_repo ON label (repo_id, name);
CREATE INDEX label_org ON label (org_id, name);
