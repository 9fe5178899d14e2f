-- Migrations of projects grant rights on all functions of the schema auth, which fails for a role without any right on one of
-- them. The function records only deleted accounts, because postgres may now use it in other triggers.
do $do$
begin
  if greenroom.has_hosted_roles() then
    create or replace function auth.greenroom_record_deleted_account() returns trigger
    language plpgsql
    security definer
    set search_path = ''
    as $$
    begin
      if tg_relid <> 'auth.users'::regclass or tg_op <> 'DELETE' then
        raise exception using errcode = 'insufficient_privilege', message = 'this function belongs to the trigger of auth.users';
      end if;
      insert into greenroom.deleted_accounts (id) values (old.id)
      on conflict (id) do update set deleted_at = excluded.deleted_at, read_at = null;
      return null;
    end
    $$;
    grant execute on function auth.greenroom_record_deleted_account() to postgres;
  end if;
end
$do$;
