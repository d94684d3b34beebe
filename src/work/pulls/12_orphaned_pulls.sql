-- Open pull requests whose changes are in a repository that is gone: where there are very many, they are closed some at a time.
CREATE TABLE orphaned_pull (
  issue_id INTEGER PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
  -- Who deleted the repository, and when.
  actor_id INTEGER NOT NULL,
  orphaned_at INTEGER NOT NULL
) STRICT;
