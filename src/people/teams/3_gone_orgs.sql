-- Organizations go alone, too, and what belonged to them follows; their teams are gone with them.
CREATE TRIGGER org_teams_gone AFTER DELETE ON user WHEN OLD.kind = 'organization' BEGIN
  INSERT OR IGNORE INTO gone_row (table_name, row_id) SELECT 'team', id FROM team WHERE org_id = OLD.id;
  DELETE FROM team WHERE org_id = OLD.id;
END;
