-- How long people worked on what.
CREATE TABLE tracked_time (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  seconds INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tracked_time_issue ON tracked_time (issue_id, created_at, id);
CREATE INDEX tracked_time_user ON tracked_time (user_id, created_at, id);

-- One runs for each person at most.
CREATE TABLE stopwatch (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stopwatch_issue ON stopwatch (issue_id);

-- Who closes an issue stops working on it.
CREATE TRIGGER stopwatch_ends AFTER UPDATE OF is_closed ON issue WHEN NEW.is_closed = 1 AND OLD.is_closed = 0 BEGIN
  INSERT INTO tracked_time (issue_id, user_id, seconds, created_at)
    SELECT issue_id, user_id, max(1, NEW.closed_at - started_at), NEW.closed_at FROM stopwatch WHERE user_id = NEW.closed_by AND issue_id = NEW.id;
  INSERT INTO comment (issue_id, repo_id, type, poster_id, body, time_id, created_at, updated_at)
    SELECT NEW.id, NEW.repo_id, 'stop_tracking', user_id, '|' || max(1, NEW.closed_at - started_at),
      (SELECT max(id) FROM tracked_time WHERE issue_id = NEW.id AND user_id = NEW.closed_by), NEW.closed_at, NEW.closed_at
    FROM stopwatch WHERE user_id = NEW.closed_by AND issue_id = NEW.id;
  DELETE FROM stopwatch WHERE user_id = NEW.closed_by AND issue_id = NEW.id;
END;
