-- Comparisons of schemas by the Supabase CLI contain the triggers of auth.users, except for those whose functions are in a
-- schema of the hosted service: projects must not get this trigger.
do $$
begin
  if greenroom.has_hosted_roles() then
    alter function greenroom.record_deleted_account() set schema auth;
    alter function auth.record_deleted_account() rename to greenroom_record_deleted_account;
  end if;
end
$$;
