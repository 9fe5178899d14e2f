-- Whether a project has been set up in this database. Before the first one, the database may have been in use without a
-- project; then seeds and objects are not due.
alter table greenroom.project add column has_run_project boolean not null default false;
comment on column greenroom.project.has_run_project is 'Whether a project has been set up in this database.';
do $$
begin
  update greenroom.project set has_run_project = true where not are_seeds_due;
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    update greenroom.project set has_run_project = true
      where exists (select from supabase_migrations.schema_migrations);
  end if;
end
$$;
