-- The pages of a conversation are counted off without a look at what is before them. What was said on lines is on none of them.
CREATE INDEX comment_entry ON comment (issue_id, created_at, id) WHERE type NOT IN ('code', 'code_draft');
