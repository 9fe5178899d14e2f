-- The schemas of services belong to supabase_admin, as on the hosted service. `supabase db reset --db-url` of the Supabase CLI
-- drops each schema that has another owner and that it does not know by name, and ends with an error if it may not.
do $do$
declare
  service record;
begin
  if not greenroom.has_hosted_roles() then
    return;
  end if;
  for service in
    select * from (values
      ('auth', 'supabase_auth_admin'),
      ('storage', 'supabase_storage_admin'),
      ('realtime', 'supabase_realtime_admin')
    ) as wanted (schema, role)
  loop
    execute format('alter schema %I owner to supabase_admin', service.schema);
    -- With the option, so that postgres, which has the rights of these roles, can still grant rights on the schemas.
    execute format('grant all on schema %I to %I with grant option', service.schema, service.role);
  end loop;
end
$do$;
