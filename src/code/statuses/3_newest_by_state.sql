-- Lists of commits count the newest statuses of each state, and show those that need attention first.
CREATE INDEX commit_status_newest_state ON commit_status (repo_id, oid, state, number) WHERE is_newest = 1;
