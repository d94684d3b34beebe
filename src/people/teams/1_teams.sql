-- Teams give members of an organization their rights in its repositories.
CREATE TABLE team (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  -- `admin` and `owner` hold for all units; otherwise it sums up team_unit: the least level there is.
  permission TEXT NOT NULL CHECK (permission IN ('none', 'read', 'write', 'admin', 'owner')),
  includes_all_repositories INTEGER NOT NULL DEFAULT 0,
  can_create_org_repo INTEGER NOT NULL DEFAULT 0,
  -- Who may know of it: its members and the organization's owners, all members of the organization, or everybody signed in.
  visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('public', 'limited', 'private')),
  UNIQUE (org_id, lower_name)
) STRICT;

-- What a team that is no administrator may do, unit by unit; a unit without a row is closed to it.
CREATE TABLE team_unit (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  -- Gitea's name of the unit, without `repo.`.
  unit TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('read', 'write')),
  PRIMARY KEY (team_id, unit)
) STRICT, WITHOUT ROWID;

-- `org_id` is the team's: rights in a repository are asked for by user and owner.
CREATE TABLE team_member (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_member_user ON team_member (user_id, org_id);
CREATE INDEX team_member_org ON team_member (org_id);

-- `org_member` is derived: these keep it, whichever way people come into teams and leave them.
CREATE TRIGGER team_joined AFTER INSERT ON team_member BEGIN
  INSERT INTO org_member (org_id, user_id, is_owner)
  VALUES (NEW.org_id, NEW.user_id, (SELECT permission = 'owner' FROM team WHERE id = NEW.team_id))
  ON CONFLICT (org_id, user_id) DO UPDATE SET is_owner = max(is_owner, excluded.is_owner);
END;
CREATE TRIGGER team_left AFTER DELETE ON team_member BEGIN
  DELETE FROM org_member WHERE org_id = OLD.org_id AND user_id = OLD.user_id
    AND NOT EXISTS (SELECT 1 FROM team_member WHERE user_id = OLD.user_id AND org_id = OLD.org_id);
  UPDATE org_member SET is_owner = EXISTS (
    SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id
    WHERE team_member.user_id = OLD.user_id AND team_member.org_id = OLD.org_id AND permission = 'owner'
  ) WHERE org_id = OLD.org_id AND user_id = OLD.user_id;
END;
