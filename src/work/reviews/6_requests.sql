-- Whom a word is asked of, among very many who have given one.
CREATE INDEX review_request ON review (issue_id, id) WHERE state = 'REQUEST_REVIEW';
