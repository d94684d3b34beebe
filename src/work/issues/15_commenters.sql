-- The issues that a person wrote on are found without reading the comments.
CREATE INDEX comment_commenter ON comment (poster_id, issue_id) WHERE type IN ('comment', 'code', 'review');
