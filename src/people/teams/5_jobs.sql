-- Jobs clear references to deleted teams. `0` is the character after `/`, so the range contains the keys of teams.
DROP TRIGGER org_teams_gone;
CREATE TRIGGER org_teams_gone AFTER DELETE ON user WHEN OLD.kind = 'organization' BEGIN
  INSERT OR IGNORE INTO job (kind, key, args, created_at)
    SELECT 'kernel.clearReferences', 'team/' || id, json_object('table', 'team', 'id', id), CAST(strftime('%s', 'now') AS INTEGER)
    FROM team WHERE org_id = OLD.id;
  DELETE FROM team WHERE org_id = OLD.id;
END;
DROP VIEW org_member;
DROP VIEW team_member;
CREATE VIEW team_member AS SELECT team_id, org_id, user_id FROM team_membership AS m
  WHERE NOT EXISTS (SELECT 1 FROM job WHERE kind = 'kernel.clearReferences' AND key >= 'team/' AND key < 'team0')
    OR EXISTS (SELECT 1 FROM team WHERE team.id = m.team_id);
CREATE VIEW org_member AS SELECT org_id, user_id, is_owner, is_public FROM org_membership AS m
  WHERE NOT EXISTS (SELECT 1 FROM job WHERE kind = 'kernel.clearReferences' AND key >= 'team/' AND key < 'team0')
    OR EXISTS (SELECT 1 FROM team_member AS t WHERE t.user_id = m.user_id AND t.org_id = m.org_id);
