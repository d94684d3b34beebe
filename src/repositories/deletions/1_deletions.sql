-- What people deleted and can have back for a while: comments, labels, milestones. The rows themselves are gone from their tables, so that no
-- query has to leave them out; here they lie as JSON, with all that the database removed along with them.
CREATE TABLE deletion (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Of what was deleted: `comment`, `label`, `milestone`.
  table_name TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  -- Where it was: in a repository, or in an organization for all that it owns.
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  org_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- The issue that it was on; NULL: on none.
  issue_id INTEGER,
  -- Whose words they were: they go with the account. NULL: nobody's.
  author_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  deleted_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
  deleted_at INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (org_id IS NULL))
) STRICT;
CREATE INDEX deletion_repo ON deletion (repo_id, table_name, deleted_at) WHERE repo_id IS NOT NULL;
CREATE INDEX deletion_org ON deletion (org_id, table_name, deleted_at) WHERE org_id IS NOT NULL;
CREATE INDEX deletion_issue ON deletion (issue_id, deleted_at) WHERE issue_id IS NOT NULL;
CREATE INDEX deletion_author ON deletion (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX deletion_doer ON deletion (deleted_by) WHERE deleted_by IS NOT NULL;
CREATE INDEX deletion_age ON deletion (deleted_at);

CREATE TABLE deleted_row (
  id INTEGER PRIMARY KEY,
  deletion_id INTEGER NOT NULL REFERENCES deletion (id) ON DELETE CASCADE,
  -- How far from what was deleted: 0 is that itself. Restored in this order, each row finds what it refers to.
  step INTEGER NOT NULL,
  table_name TEXT NOT NULL,
  -- NULL: the row was removed. Else it is still there, and this column of it, which named what was deleted, was emptied.
  emptied TEXT,
  -- By column; of one that is still there its `id` alone.
  content TEXT NOT NULL,
  issue_id INTEGER GENERATED ALWAYS AS (content ->> '$.issue_id') VIRTUAL,
  row_id INTEGER GENERATED ALWAYS AS (content ->> '$.id') VIRTUAL
) STRICT;
CREATE INDEX deleted_row_deletion ON deleted_row (deletion_id, step, table_name);
CREATE INDEX deleted_row_issue ON deleted_row (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX deleted_row_emptied ON deleted_row (table_name, row_id) WHERE emptied IS NOT NULL;

-- Files that these rows name are kept as long as the rows are.
CREATE TABLE deleted_row_file (
  deletion_id INTEGER NOT NULL REFERENCES deletion (id) ON DELETE CASCADE,
  digest TEXT NOT NULL REFERENCES blob (digest),
  PRIMARY KEY (deletion_id, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_row_file_digest ON deleted_row_file (digest);
CREATE TRIGGER deleted_row_file_added AFTER INSERT ON deleted_row_file BEGIN
  UPDATE blob SET use_count = use_count + 1, unused_since = NULL WHERE digest = NEW.digest;
END;
CREATE TRIGGER deleted_row_file_removed AFTER DELETE ON deleted_row_file BEGIN
  UPDATE blob SET use_count = use_count - 1, unused_since = iif(use_count = 1, unixepoch(), NULL) WHERE digest = OLD.digest;
END;
