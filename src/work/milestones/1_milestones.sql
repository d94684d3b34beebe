-- What a repository's issues and pull requests are gathered for. The counts are derived: triggers beside the table of issues keep them.
CREATE TABLE milestone (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  due_at INTEGER,
  closed_at INTEGER,
  open_issue_count INTEGER NOT NULL DEFAULT 0,
  closed_issue_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX milestone_repo ON milestone (repo_id, due_at, title);
