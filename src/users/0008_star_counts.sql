-- `user.star_count` is derived: these keep it, whichever way a star comes or goes.
CREATE TRIGGER star_added AFTER INSERT ON star BEGIN
  UPDATE user SET star_count = star_count + 1 WHERE id = NEW.user_id;
END;
CREATE TRIGGER star_removed AFTER DELETE ON star BEGIN
  UPDATE user SET star_count = star_count - 1 WHERE id = OLD.user_id;
END;
