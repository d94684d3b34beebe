-- Whatever people begin gets the last of their partings: what they begin after one is theirs, and a clock does not tell, since it may be put back.
ALTER TABLE parting DROP COLUMN begun_at;
CREATE TRIGGER star_after_parting AFTER INSERT ON star WHEN EXISTS (SELECT 1 FROM parting WHERE user_id = NEW.user_id) BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM parting WHERE user_id = NEW.user_id) WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
CREATE TRIGGER star_again_after_parting AFTER UPDATE OF created_at ON star WHEN EXISTS (SELECT 1 FROM parting WHERE user_id = NEW.user_id) BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM parting WHERE user_id = NEW.user_id) WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
CREATE TRIGGER watch_after_parting AFTER INSERT ON watch WHEN EXISTS (SELECT 1 FROM parting WHERE user_id = NEW.user_id) BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM parting WHERE user_id = NEW.user_id) WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
CREATE TRIGGER watch_again_after_parting AFTER UPDATE OF created_at ON watch WHEN EXISTS (SELECT 1 FROM parting WHERE user_id = NEW.user_id) BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM parting WHERE user_id = NEW.user_id) WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
