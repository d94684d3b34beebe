-- What an organization has besides its row in `user`, which holds its name and profile.
CREATE TABLE organization (
  id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  repo_admin_change_team_access INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Who is in any team of the organization, and who in its owners' team: derived, see ../teams/1_teams.sql.
CREATE TABLE org_member (
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  is_owner INTEGER NOT NULL DEFAULT 0,
  -- Whether others may know of the membership: each member's own choice.
  is_public INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, user_id)
) STRICT;
CREATE INDEX org_member_user ON org_member (user_id);
