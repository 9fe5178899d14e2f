-- Migrations of the project that a start does not apply, because the database was reset to an earlier one.
alter table greenroom.project add column last_version text;
comment on column greenroom.project.last_version is
  'Version of the last migration that a start applies; an empty text: none, null: all.';
