-- Who has a part in a conversation, some people at a time.
CREATE INDEX comment_participant ON comment (issue_id, poster_id) WHERE type IN ('comment', 'code', 'review');
