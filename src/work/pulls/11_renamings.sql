-- A branch that very many pull requests are on, or are to be merged into, has another name: they follow some at a time, and are read as if they
-- all had.
CREATE TABLE renaming_branch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  from_name TEXT NOT NULL,
  to_name TEXT NOT NULL,
  -- What was opened later means another branch of the old name.
  last_issue_id INTEGER NOT NULL
) STRICT;
CREATE INDEX renaming_branch_repo ON renaming_branch (repo_id, from_name);

CREATE VIEW named_pull AS SELECT issue_id, repo_id,
  ifnull((SELECT to_name FROM renaming_branch AS r WHERE r.repo_id = p.repo_id AND from_name = p.base_branch AND p.issue_id <= last_issue_id), base_branch)
    AS base_branch,
  head_repo_id,
  ifnull((SELECT to_name FROM renaming_branch AS r
    WHERE p.flow = 0 AND r.repo_id = p.head_repo_id AND from_name = p.head_branch AND p.issue_id <= last_issue_id), head_branch) AS head_branch,
  head_oid, first_oid, merge_base, merge_oid, merge_onto, merged_by, allow_maintainer_edit, head_hiding, edits_allowed_by, review_comment_count, flow,
  has_merge_ref, owners_asked
  FROM pull AS p;
