-- The project adds its tables to this publication. In the embedded database it runs its migrations as `postgres`.
do $$
begin
  if greenroom.has_hosted_roles() then
    alter publication supabase_realtime owner to postgres;
  end if;
end
$$;
