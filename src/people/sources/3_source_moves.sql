-- An account that signs in elsewhere from now on keeps what it has from its source as its own, and that source says no more of it.
CREATE TRIGGER source_moves AFTER UPDATE OF login_source ON user WHEN NEW.login_source <> OLD.login_source BEGIN
  UPDATE public_key SET source_id = 0 WHERE user_id = NEW.id AND source_id = OLD.login_source;
  DELETE FROM source_absence WHERE user_id = NEW.id;
END;
