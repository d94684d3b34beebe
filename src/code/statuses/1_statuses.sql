-- What programs say of commits: each report is kept, the newest of a context counts.
CREATE TABLE commit_status (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  oid TEXT NOT NULL,
  -- Counts the reports on one commit, from 1.
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  context TEXT NOT NULL,
  description TEXT NOT NULL,
  target_url TEXT NOT NULL,
  -- Null: the account is gone.
  creator_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (repo_id, oid, number)
) STRICT;
CREATE INDEX commit_status_context ON commit_status (repo_id, oid, context, number);
CREATE INDEX commit_status_creator ON commit_status (creator_id);
