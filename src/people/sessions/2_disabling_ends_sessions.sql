-- Whoever may no longer sign in is signed out, and stays so when they may again: a browser that somebody else has is not let in by that.
CREATE TRIGGER disabling_ends_sessions AFTER UPDATE OF is_active, prohibit_login ON user WHEN NEW.is_active = 0 OR NEW.prohibit_login = 1 BEGIN
  DELETE FROM session WHERE user_id = NEW.id;
  DELETE FROM sign_in_link WHERE user_id = NEW.id;
END;
