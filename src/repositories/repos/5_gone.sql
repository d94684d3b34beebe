-- What belonged to deleted repositories goes by itself, and with their directories their refs alone.
INSERT INTO gone_row (table_name, row_id) SELECT 'repository', id FROM removed_repository WHERE removed_at > 0;
