-- The accounts whose rights commit messages of the head use in other repositories once they are merged, as JSON: the person who opened the pull
-- request and everyone who pushed to its head, with the limits of their tokens. NULL: unknown, and the messages act in the base's repository only.
ALTER TABLE pull ADD COLUMN acting TEXT;
ALTER TABLE pull_push ADD COLUMN acting TEXT;

DROP VIEW named_pull;
CREATE VIEW named_pull AS SELECT issue_id, repo_id,
  ifnull((SELECT to_name FROM renaming_branch AS r WHERE r.repo_id = p.repo_id AND from_name = p.base_branch AND p.issue_id <= last_issue_id), base_branch)
    AS base_branch,
  head_repo_id,
  ifnull((SELECT to_name FROM renaming_branch AS r
    WHERE p.flow = 0 AND r.repo_id = p.head_repo_id AND from_name = p.head_branch AND p.issue_id <= last_issue_id), head_branch) AS head_branch,
  head_oid, first_oid, merge_base, merge_oid, merge_onto, merged_by, allow_maintainer_edit, head_hiding, edits_allowed_by, review_comment_count, flow,
  has_merge_ref, owners_asked, acting
  FROM pull AS p;
