-- What records of repositories show: the names in order, joined by commas. Derived: the triggers keep it, whichever way a topic comes or goes.
ALTER TABLE repository ADD COLUMN topic_names TEXT NOT NULL DEFAULT '';
UPDATE repository SET topic_names = coalesce((SELECT group_concat(name, ',' ORDER BY name) FROM topic WHERE repo_id = repository.id), '');
CREATE TRIGGER topic_added AFTER INSERT ON topic BEGIN
  UPDATE repository SET topic_names = (SELECT group_concat(name, ',' ORDER BY name) FROM topic WHERE repo_id = NEW.repo_id) WHERE id = NEW.repo_id;
END;
CREATE TRIGGER topic_removed AFTER DELETE ON topic BEGIN
  UPDATE repository SET topic_names = coalesce((SELECT group_concat(name, ',' ORDER BY name) FROM topic WHERE repo_id = OLD.repo_id), '') WHERE id = OLD.repo_id;
END;
