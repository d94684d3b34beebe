-- Queries read pushes from live_comment, which asks for rows that are not deleted.
DROP INDEX comment_push;
CREATE INDEX comment_push ON comment (issue_id, deleted_at) WHERE type = 'pull_push' AND deleted_at IS NULL;
