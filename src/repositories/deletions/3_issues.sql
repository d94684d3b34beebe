-- Issues, which nobody gets back, are among the rows that are gone for good.
INSERT INTO gone_row (table_name, row_id) SELECT table_name, row_id FROM unsettled_row WHERE table_name = 'issue';
DELETE FROM unsettled_row WHERE table_name = 'issue';
