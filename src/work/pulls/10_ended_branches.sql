-- A branch that very many open pull requests were on, or were to be merged into, is gone: those that it had then are closed, or are to be merged
-- elsewhere, some at a time.
CREATE TABLE ended_branch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  -- Where its pull requests are to be merged now.
  target TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  -- What was opened later is on, or goes into, another branch of this name.
  last_issue_id INTEGER NOT NULL,
  -- Up to these pull requests, of those on the branch and of those into it, all are done.
  from_looked_to INTEGER NOT NULL DEFAULT 0,
  into_looked_to INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX ended_branch_repo ON ended_branch (repo_id);

-- The one between two branches, however many others are on one of them, or go into the other.
CREATE INDEX pull_between ON pull (head_repo_id, head_branch, base_branch, repo_id);
