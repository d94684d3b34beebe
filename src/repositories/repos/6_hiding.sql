-- Private repositories whose forks become private with them, some at a time. Up to this id all forks of one have; nobody sees the others by their
-- being public from the moment that it stands here. It stays when the repository is deleted meanwhile.
CREATE TABLE hiding_repository (
  id INTEGER PRIMARY KEY,
  looked_to INTEGER NOT NULL
) STRICT;
-- A fork whose base is deleted meanwhile has none by then that it would be found by.
CREATE TRIGGER fork_hidden AFTER UPDATE OF fork_of ON repository
WHEN NEW.fork_of IS NULL AND NEW.is_private = 0 AND OLD.fork_of IN (SELECT id FROM hiding_repository) BEGIN
  UPDATE repository SET is_private = 1 WHERE id = NEW.id;
  INSERT OR REPLACE INTO hiding_repository (id, looked_to) VALUES (NEW.id, 0);
END;
