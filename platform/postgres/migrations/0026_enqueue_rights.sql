-- Migrations of projects grant rights on all functions of the schema net, which fails for a role without any right on one of them.
do $$
begin
  if to_regprocedure('net._enqueue(text, text, jsonb, jsonb, bytea, int)') is not null
    and to_regrole('postgres') is not null
    and (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
  then
    grant execute on function net._enqueue to postgres with grant option;
  end if;
end
$$;
