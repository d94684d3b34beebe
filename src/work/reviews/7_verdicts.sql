-- A pull request's verdicts, of which there may be very many, a page at a time.
CREATE INDEX review_verdict ON review (issue_id, id) WHERE state IN ('APPROVED', 'REQUEST_CHANGES');
