insert into public.articles (title, body) values
  ('Indexes', 'An index lets PostgreSQL find rows without reading the whole table. Each index makes writes slower.'),
  ('Transactions', 'A transaction groups statements: either all of them take effect, or none. Locks end with it.'),
  ('Row-level security', 'A policy is a condition that PostgreSQL adds to each statement of a role. Without a policy, a table with row-level security has no rows for that role.'),
  ('Realtime', 'Clients subscribe to changes of tables. PostgreSQL writes each change to its log, and the server reads the log.'),
  ('Full-text search', 'Words are reduced to their stems, so that a search for indexing also finds index. A GIN index makes it fast.'),
  ('Vacuum', 'Updated rows leave dead versions behind. Vacuum removes them and keeps the table small.');
