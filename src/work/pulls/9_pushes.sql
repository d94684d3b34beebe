-- How often a pull request was pushed to is counted without a look at what was written on it.
CREATE INDEX comment_push ON comment (issue_id) WHERE type = 'pull_push';
