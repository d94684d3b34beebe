-- What people were given one by one may end for very many at once: from that moment on it counts for nothing, and its rows are cleared away
-- some at a time. Whoever asks who may do what asks the view, which looks for what has ended only while there is something to clear.
CREATE TABLE ended_collaboration (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- In this repository for its owner and who is a member there, or else in all repositories of the owner for this person.
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Up to this person in the repository, or this repository of the person, all is cleared.
  looked_to INTEGER NOT NULL DEFAULT 0,
  CHECK ((repo_id IS NULL) <> (user_id IS NULL))
) STRICT;
CREATE INDEX ended_collaboration_owner ON ended_collaboration (owner_id);
CREATE INDEX ended_collaboration_repo ON ended_collaboration (repo_id);
CREATE INDEX ended_collaboration_user ON ended_collaboration (user_id);

-- What had ended before it was given: ends that come later end it, too.
ALTER TABLE collaboration ADD COLUMN given_after INTEGER NOT NULL DEFAULT 0;
DROP INDEX collaboration_user;
CREATE INDEX collaboration_user ON collaboration (user_id, repo_id);

CREATE VIEW collaborator AS SELECT repo_id, user_id, level FROM collaboration AS c
  WHERE NOT EXISTS (SELECT 1 FROM ended_collaboration) OR NOT EXISTS (
    SELECT 1 FROM ended_collaboration AS e WHERE e.repo_id = c.repo_id AND e.id > c.given_after AND (
      e.owner_id = c.user_id OR EXISTS (SELECT 1 FROM org_membership AS m WHERE m.org_id = e.owner_id AND m.user_id = c.user_id))
    UNION ALL SELECT 1 FROM ended_collaboration AS e WHERE e.user_id = c.user_id AND e.id > c.given_after
      AND e.owner_id = (SELECT owner_id FROM repository WHERE id = c.repo_id)
  );

-- What ended while they were members, or while the owner had the repository, does not come back when that is over.
CREATE TRIGGER ended_with_member BEFORE DELETE ON org_membership WHEN EXISTS (SELECT 1 FROM ended_collaboration) BEGIN
  DELETE FROM collaboration WHERE user_id = OLD.user_id AND repo_id IN (SELECT repo_id FROM ended_collaboration WHERE owner_id = OLD.org_id)
    AND NOT EXISTS (SELECT 1 FROM collaborator AS c WHERE c.repo_id = collaboration.repo_id AND c.user_id = OLD.user_id);
END;
CREATE TRIGGER ended_with_owner BEFORE UPDATE OF owner_id ON repository WHEN EXISTS (SELECT 1 FROM ended_collaboration) BEGIN
  DELETE FROM collaboration WHERE repo_id = OLD.id AND user_id IN (SELECT user_id FROM ended_collaboration WHERE owner_id = OLD.owner_id)
    AND NOT EXISTS (SELECT 1 FROM collaborator AS c WHERE c.repo_id = OLD.id AND c.user_id = collaboration.user_id);
END;
