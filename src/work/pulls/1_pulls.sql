-- What a pull request has besides what it shares with issues.
CREATE TABLE pull (
  issue_id INTEGER PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
  -- Where it is to be merged: the repository of the issue.
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  base_branch TEXT NOT NULL,
  -- NULL: the fork is gone.
  head_repo_id INTEGER REFERENCES repository (id) ON DELETE SET NULL,
  head_branch TEXT NOT NULL,
  -- What refs/pull/N/head points to; follows the branch while the pull request is open.
  head_oid TEXT NOT NULL,
  -- Set once it is merged: what its changes are counted from, and the base's tip after it.
  merge_base TEXT,
  merge_oid TEXT,
  merged_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
  allow_maintainer_edit INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX pull_head ON pull (head_repo_id, head_branch);
CREATE INDEX pull_base ON pull (repo_id, base_branch);
CREATE INDEX pull_merger ON pull (merged_by) WHERE merged_by IS NOT NULL;
CREATE INDEX pull_merge ON pull (repo_id, merge_oid) WHERE merge_oid IS NOT NULL;
