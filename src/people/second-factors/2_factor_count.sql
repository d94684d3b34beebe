-- How many apps and keys an account has, for lists of accounts to tell without knowing of them.
ALTER TABLE user ADD COLUMN factor_count INTEGER NOT NULL DEFAULT 0;
UPDATE user SET factor_count = (SELECT count(*) FROM totp WHERE user_id = user.id) + (SELECT count(*) FROM security_key WHERE user_id = user.id);

CREATE TRIGGER totp_counted AFTER INSERT ON totp BEGIN
  UPDATE user SET factor_count = factor_count + 1 WHERE id = new.user_id;
END;
CREATE TRIGGER totp_uncounted AFTER DELETE ON totp BEGIN
  UPDATE user SET factor_count = factor_count - 1 WHERE id = old.user_id;
END;
CREATE TRIGGER security_key_counted AFTER INSERT ON security_key BEGIN
  UPDATE user SET factor_count = factor_count + 1 WHERE id = new.user_id;
END;
CREATE TRIGGER security_key_uncounted AFTER DELETE ON security_key BEGIN
  UPDATE user SET factor_count = factor_count - 1 WHERE id = old.user_id;
END;
