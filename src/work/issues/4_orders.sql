-- Issues and pull requests of one state together: where nearly all are closed, the few open ones are read without the others.
CREATE INDEX issue_state_created ON issue (repo_id, is_closed, created_at, id, is_pull);
CREATE INDEX issue_state_updated ON issue (repo_id, is_closed, updated_at, id, is_pull);
-- The orders that had no index yet. What has no due date comes last in both of these.
CREATE INDEX issue_all_comments ON issue (repo_id, comment_count, id, is_closed, is_pull);
CREATE INDEX issue_near_due ON issue (repo_id, coalesce(due_at, 9007199254740991), id DESC, is_closed, is_pull);
CREATE INDEX issue_far_due ON issue (repo_id, coalesce(due_at, -1), id, is_closed, is_pull);
DROP INDEX issue_due;
-- The same for the search in all repositories.
CREATE INDEX issue_everywhere_all ON issue (created_at, id, is_closed, repo_id, is_pull);
CREATE INDEX issue_everywhere_updated ON issue (updated_at, id, is_closed, repo_id, is_pull);
-- Those of a milestone are counted and ordered without a look at the issues.
DROP INDEX issue_milestone;
CREATE INDEX issue_milestone ON issue (milestone_id, repo_id, is_closed, is_pull, created_at, id) WHERE milestone_id IS NOT NULL;
