-- A team is gone with its row, and those who were in it follow a few at a time: from that moment on nobody is in it any more, and who is in no
-- other is none of the organization's. Whoever asks asks the views, which look for teams only while one is being cleared away.
-- Made anew below: where a table is renamed, SQLite takes `excluded` of a trigger for that table.
DROP TRIGGER team_joined;
ALTER TABLE team_member RENAME TO team_membership;
CREATE VIEW team_member AS SELECT team_id, org_id, user_id FROM team_membership AS m
  WHERE NOT EXISTS (SELECT 1 FROM gone_row WHERE table_name = 'team') OR EXISTS (SELECT 1 FROM team WHERE team.id = m.team_id);
ALTER TABLE org_member RENAME TO org_membership;
CREATE VIEW org_member AS SELECT org_id, user_id, is_owner, is_public FROM org_membership AS m
  WHERE NOT EXISTS (SELECT 1 FROM gone_row WHERE table_name = 'team')
    OR EXISTS (SELECT 1 FROM team_member AS t WHERE t.user_id = m.user_id AND t.org_id = m.org_id);
CREATE TRIGGER team_joined AFTER INSERT ON team_membership BEGIN
  INSERT INTO org_membership (org_id, user_id, is_owner)
  VALUES (NEW.org_id, NEW.user_id, (SELECT permission = 'owner' FROM team WHERE id = NEW.team_id))
  ON CONFLICT (org_id, user_id) DO UPDATE SET is_owner = max(is_owner, excluded.is_owner);
END;
