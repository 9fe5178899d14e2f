-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pg_graphql is a placeholder: GraphQL is not available',
    hint = 'graphql_public.graphql and graphql.resolve return a GraphQL error.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

do $$
declare
  grantee text;
begin
  for grantee in select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
  loop
    execute format('grant usage on schema graphql to %I', grantee);
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
