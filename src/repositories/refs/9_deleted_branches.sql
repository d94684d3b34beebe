-- For the branches of a repository that were deleted last.
CREATE INDEX reflog_deleted_branch ON reflog (repo_id, id)
  WHERE new_oid = '0000000000000000000000000000000000000000' AND name >= 'refs/heads/' AND name < 'refs/heads0';
