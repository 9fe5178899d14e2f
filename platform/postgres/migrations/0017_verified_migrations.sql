-- Applied migrations whose files equal their records, so that a start compares only the others. The object may be emptied
-- at any time: the next start fills it again.
alter table greenroom.project add column verified_migrations jsonb not null default '{}';
comment on column greenroom.project.verified_migrations is
  'By version: the SHA-256 of the file, and the transaction that wrote the record.';
