-- Jobs of pg_cron run. Databases of earlier versions may have its placeholder, which stored jobs, by any version that a project has
-- named.
do $do$
begin
  -- Only the extension that Greenroom provides is trusted.
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
    or not exists (
      select from pg_catalog.pg_available_extension_versions where name = 'pg_cron' and version = '1.6.4' and trusted
    )
    or not exists (
      select from pg_catalog.pg_extension e
        join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid
        join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
      where extname = 'pg_cron' and deptype = 'e' and c.oid = to_regclass('cron.job_run_details') and relkind = 'v'
    )
  then
    return;
  end if;
  update pg_catalog.pg_extension set extversion = 'placeholder' where extname = 'pg_cron';
  alter extension pg_cron update to '1.6.4';
end
$do$;
