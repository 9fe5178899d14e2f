-- Triggers that sum the bytes of objects skip changes that add nothing: overwriting with content of the same size, and the
-- trial of a write, which has no bytes.

set local role supabase_storage_admin;

create or replace function storage.count_objects() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
      select bucket_id, owner_id, storage.object_bytes(version, metadata) as bytes from added
    ) as changed where bytes <> 0;
  elsif tg_op = 'DELETE' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
      select bucket_id, owner_id, -storage.object_bytes(version, metadata) as bytes from removed
    ) as changed where bytes <> 0;
  else
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
      select bucket_id, owner_id, sum(bytes)::bigint as bytes from (
        select bucket_id, owner_id, storage.object_bytes(version, metadata) as bytes from added
        union all
        select bucket_id, owner_id, -storage.object_bytes(version, metadata) from removed
      ) as rows group by bucket_id, owner_id
    ) as changed where bytes <> 0;
  end if;
  return null;
end
$$;

reset role;
