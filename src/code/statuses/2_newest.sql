-- Whether a report is its context's newest on the commit, of which there may be few among very many.
ALTER TABLE commit_status ADD COLUMN is_newest INTEGER NOT NULL DEFAULT 1;
UPDATE commit_status AS s SET is_newest = 0
WHERE EXISTS (SELECT 1 FROM commit_status AS t WHERE t.repo_id = s.repo_id AND t.oid = s.oid AND t.context = s.context AND t.number > s.number);
CREATE INDEX commit_status_newest ON commit_status (repo_id, oid, number, state) WHERE is_newest = 1;

CREATE TRIGGER commit_status_replaced AFTER INSERT ON commit_status BEGIN
  UPDATE commit_status SET is_newest = 0 WHERE id =
    (SELECT id FROM commit_status WHERE repo_id = NEW.repo_id AND oid = NEW.oid AND context = NEW.context AND number < NEW.number ORDER BY number DESC LIMIT 1);
END;
-- Those of one state, in their order.
CREATE INDEX commit_status_state ON commit_status (repo_id, oid, state, number);
