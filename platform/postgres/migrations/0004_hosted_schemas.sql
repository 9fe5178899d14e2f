-- Schemas and extensions of a new hosted project, so that its migrations can refer to them. Only older projects have
-- `pgsodium` from the start, and their dumps do not create it. Schemas that exist, e.g. in an external database, keep
-- their owner and their rights.
do $$
declare
  missing record;
  grantee text;
begin
  for missing in
    select name, grantees
    from (values
      ('pgsodium', array['service_role']),
      ('graphql', array['anon', 'authenticated', 'service_role']),
      ('graphql_public', array['anon', 'authenticated', 'service_role']),
      ('vault', array['service_role']),
      ('supabase_functions', array['anon', 'authenticated', 'service_role'])
    ) as wanted (name, grantees)
    where not exists (select from pg_namespace where nspname = wanted.name)
  loop
    execute format('create schema %I', missing.name);
    foreach grantee in array missing.grantees
    loop
      execute format('grant usage on schema %I to %I', missing.name, grantee);
    end loop;
  end loop;
end
$$;

-- The entry point of GraphQL: an error in the format of GraphQL, as on hosted projects without pg_graphql.
do $do$
begin
  if exists (
    select from pg_namespace
    where nspname = 'graphql_public' and nspowner = current_user::regrole
      and not exists (select from pg_proc where pronamespace = pg_namespace.oid and proname = 'graphql')
  ) then
    create function graphql_public.graphql(
      "operationName" text default null,
      query text default null,
      variables jsonb default null,
      extensions jsonb default null
    )
    returns jsonb
    language sql immutable
    as $$ select '{"errors": [{"message": "GraphQL is not available: Greenroom has no pg_graphql."}]}'::jsonb $$;
    comment on function graphql_public.graphql(text, text, jsonb, jsonb) is 'Returns a GraphQL error: GraphQL is not available.';
  end if;
end
$do$;

-- Its view has rows if `shared_preload_libraries` contains it. Only a superuser may create it.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_stat_statements')
    and (select rolsuper from pg_roles where rolname = current_user)
  then
    create extension if not exists pg_stat_statements with schema extensions;
  end if;
end
$$;
