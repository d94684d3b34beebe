-- A link stands for the password that the account had: another one ends it, whoever set it. The log may still have the link.
CREATE TRIGGER sign_in_link_ends AFTER UPDATE OF password_hash ON user WHEN NEW.password_hash <> OLD.password_hash BEGIN
  DELETE FROM sign_in_link WHERE user_id = NEW.id;
END;
