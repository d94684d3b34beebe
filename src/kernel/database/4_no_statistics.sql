-- Plans are made as if every table were large, which is what they have to serve. What SQLite once counted holds for the store of that day: of two
-- accounts it reads all for each row that names one, and goes on to when there are a hundred thousand.
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1;
ANALYZE sqlite_schema;
