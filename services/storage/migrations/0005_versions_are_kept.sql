-- The version of a row names its content. Whoever could write that of another object into a row of their own would read its
-- content, and have it removed. So those to whom policies apply cannot write versions: a new row has no content, and a row
-- that is changed keeps what it has. Storage writes rows as their owner, to whom policies do not apply.

set local role supabase_storage_admin;

create function storage.keep_version() returns trigger
language plpgsql
as $$
begin
  if pg_catalog.row_security_active('storage.objects') then
    new.version := case
      when tg_op = 'UPDATE' then old.version
      -- What storage tries as its caller, and takes back; policies may ask for it. It is no name of content.
      when new.version = '1' then new.version
    end;
  end if;
  return new;
end
$$;
create trigger keep_version before insert or update of version on storage.objects
  for each row execute function storage.keep_version();

reset role;
