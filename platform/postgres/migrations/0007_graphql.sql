-- Hosted projects have pg_graphql from the start, and their migrations drop it, or refer to it, without creating it. A database
-- that has objects of its own in the schema keeps them. An external database may lack the extension, or the right to create it.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_graphql' and installed_version is null)
    and (select rolsuper from pg_roles where rolname = current_user)
    and exists (
      select from pg_namespace where nspname = 'graphql' and nspowner in (current_user::regrole, to_regrole('postgres'))
    )
    and not exists (
      select from pg_class where relnamespace = 'graphql'::regnamespace
      union all
      select from pg_proc where pronamespace = 'graphql'::regnamespace
    )
  then
    create extension pg_graphql with schema graphql;
  end if;
end
$$;
