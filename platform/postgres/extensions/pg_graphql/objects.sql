-- Objects of the placeholder of pg_graphql; the functions that raise an error are created after them.

do $$
declare
  grantee text;
begin
  for grantee in select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
  loop
    execute pg_catalog.format('grant usage on schema graphql to %I', grantee);
  end loop;
end
$$;

-- Returns its error as GraphQL does: callers parse the response.
create function graphql.resolve(
  query text,
  variables jsonb default '{}',
  "operationName" text default null,
  extensions jsonb default null
)
returns jsonb
language sql immutable
as $$
  select '{"errors": [{"message": "The extension pg_graphql is a placeholder: GraphQL is not available."}]}'::jsonb
$$;
