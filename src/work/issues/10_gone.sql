-- What lists and counts are read from goes with the issue itself. All else that hangs on it may be very much, and follows a little at a time.
CREATE TRIGGER issue_placed_removed AFTER DELETE ON issue BEGIN
  DELETE FROM issue_label WHERE issue_id = OLD.id;
  DELETE FROM issue_assignee WHERE issue_id = OLD.id;
END;
