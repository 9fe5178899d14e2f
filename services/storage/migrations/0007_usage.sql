-- How many bytes each person and each bucket has: quotas are checked against it without counting objects. Triggers keep
-- the sums together with the rows, in the same transaction.

set local role supabase_storage_admin;

-- Who has begun an upload, and how many bytes it may still become.
alter table storage.resumable_uploads
  add column owner_id text,
  -- Role of the request, `link` for a signed one. Null: begun before there was this column.
  add column begun_by text,
  -- Counts as long as the length is not known.
  add column reserved bigint;
create index resumable_uploads_owner_index on storage.resumable_uploads (owner_id) where not is_finished;
alter table storage.s3_multipart_uploads add column begun_by text;
create index idx_multipart_uploads_owner on storage.s3_multipart_uploads (owner_id);

-- Bytes that uploads under way may take. A reservation of a process that was killed expires.
create table storage.upload_reservations (
  id uuid not null primary key,
  holder uuid not null,
  bucket_id text not null,
  owner_id text,
  bytes bigint not null,
  expires_at timestamptz not null
);
create index upload_reservations_holder_index on storage.upload_reservations (holder);
create index upload_reservations_expiry_index on storage.upload_reservations (expires_at);

-- One row would make all writers wait for each other: sums of buckets and the total are spread over several.
create table storage.usage (
  scope text not null check (scope in ('total', 'bucket', 'user')),
  name text not null,
  slot smallint not null,
  bytes bigint not null,
  primary key (scope, name, slot)
) with (fillfactor = 50);

alter table storage.upload_reservations enable row level security;
alter table storage.usage enable row level security;

-- Rows that SQL has written may say anything. Tries of writes (version 1) are rolled back.
create function storage.object_bytes(version text, metadata jsonb) returns bigint
language sql immutable
as $$
  select case
    when version is null or version = '1' or pg_catalog.jsonb_typeof(metadata -> 'size') is distinct from 'number' then 0
    else pg_catalog.trunc(least(greatest((metadata ->> 'size')::numeric, 0), 9007199254740991))::bigint
  end
$$;

create function storage.resumable_bytes(is_finished boolean, length bigint, reserved bigint, received bigint)
returns bigint
language sql immutable
as $$
  select case when is_finished then 0 else greatest(coalesce(length, reserved, 0), received) end
$$;

-- Adds to the sums. Rows are taken in the order of their keys, so that two transactions do not wait for each other.
create function storage.add_usage(bucket_ids text[], owner_ids text[], bytes bigint[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Statements that write no row have triggers, too.
  if bucket_ids is null then
    return;
  end if;
  insert into storage.usage as u (scope, name, slot, bytes)
    select s.scope, s.name, s.slot, sum(c.bytes)
      from unnest(bucket_ids, owner_ids, add_usage.bytes) as c (bucket_id, owner_id, bytes)
      cross join lateral (values
        ('total', '', pg_catalog.pg_backend_pid() % 16),
        ('bucket', c.bucket_id, pg_catalog.pg_backend_pid() % 16),
        ('user', c.owner_id, 0)
      ) as s (scope, name, slot)
      where s.name is not null and c.bytes <> 0
      group by s.scope, s.name, s.slot
      having sum(c.bytes) <> 0
      order by s.scope, s.name
  on conflict (scope, name, slot) do update set bytes = u.bytes + excluded.bytes;
end
$$;

create function storage.count_objects() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(storage.object_bytes(version, metadata)))
      from added;
  elsif tg_op = 'DELETE' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(-storage.object_bytes(version, metadata)))
      from removed;
  else
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
      select bucket_id, owner_id, storage.object_bytes(version, metadata) as bytes from added
      union all
      select bucket_id, owner_id, -storage.object_bytes(version, metadata) from removed
    ) as changed;
  end if;
  return null;
end
$$;
create trigger count_inserted after insert on storage.objects
  referencing new table as added for each statement execute function storage.count_objects();
create trigger count_updated after update on storage.objects
  referencing old table as removed new table as added for each statement execute function storage.count_objects();
create trigger count_deleted after delete on storage.objects
  referencing old table as removed for each statement execute function storage.count_objects();

create function storage.count_resumable_uploads() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform storage.add_usage(
      array_agg(bucket_id), array_agg(owner_id),
      array_agg(storage.resumable_bytes(is_finished, length, reserved, received))
    ) from added;
  elsif tg_op = 'DELETE' then
    perform storage.add_usage(
      array_agg(bucket_id), array_agg(owner_id),
      array_agg(-storage.resumable_bytes(is_finished, length, reserved, received))
    ) from removed;
  else
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
      select bucket_id, owner_id, storage.resumable_bytes(is_finished, length, reserved, received) as bytes from added
      union all
      select bucket_id, owner_id, -storage.resumable_bytes(is_finished, length, reserved, received) from removed
    ) as changed;
  end if;
  return null;
end
$$;
create trigger count_inserted after insert on storage.resumable_uploads
  referencing new table as added for each statement execute function storage.count_resumable_uploads();
create trigger count_updated after update on storage.resumable_uploads
  referencing old table as removed new table as added for each statement execute function storage.count_resumable_uploads();
create trigger count_deleted after delete on storage.resumable_uploads
  referencing old table as removed for each statement execute function storage.count_resumable_uploads();

create function storage.count_parts() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(size)) from added;
  elsif tg_op = 'DELETE' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(-size)) from removed;
  else
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(size)) from (
      select bucket_id, owner_id, size from added union all select bucket_id, owner_id, -size from removed
    ) as changed;
  end if;
  return null;
end
$$;
create trigger count_inserted after insert on storage.s3_multipart_uploads_parts
  referencing new table as added for each statement execute function storage.count_parts();
create trigger count_updated after update on storage.s3_multipart_uploads_parts
  referencing old table as removed new table as added for each statement execute function storage.count_parts();
create trigger count_deleted after delete on storage.s3_multipart_uploads_parts
  referencing old table as removed for each statement execute function storage.count_parts();

create function storage.count_reservations() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from added;
  else
    perform storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(-bytes)) from removed;
  end if;
  return null;
end
$$;
create trigger count_inserted after insert on storage.upload_reservations
  referencing new table as added for each statement execute function storage.count_reservations();
create trigger count_deleted after delete on storage.upload_reservations
  referencing old table as removed for each statement execute function storage.count_reservations();

-- Reserves bytes for an upload. Returns how many: up to `wanted`, and at least `needed`; null where a quota has no room
-- for these. Quotas that are null do not apply. What the upload overwrites makes room for it.
create function storage.reserve_bytes(
  reservation_id uuid, holder_id uuid, bucket text, owner text, object_key text, is_upsert boolean,
  wanted bigint, needed bigint, total_quota bigint, bucket_quota bigint, user_quota bigint
) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  overwritten bigint := 0;
  room bigint := wanted;
  granted bigint;
begin
  -- Who checks a quota waits for who has just reserved. Locks are taken in one order.
  if total_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('storage quota', 0));
  end if;
  if bucket_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('storage quota of bucket ' || bucket, 0));
  end if;
  if user_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('storage quota of user ' || owner, 0));
  end if;
  if is_upsert then
    select storage.object_bytes(o.version, o.metadata) into overwritten
      from storage.objects as o
      where o.bucket_id = bucket and o.name = object_key and o.owner_id is not distinct from reserve_bytes.owner;
    overwritten := coalesce(overwritten, 0);
  end if;
  select least(room, min(q.bytes - coalesce((
      select sum(u.bytes)::bigint from storage.usage as u where u.scope = q.scope and u.name = q.name
    ), 0) + overwritten))
    into room
    from (values ('total', '', total_quota), ('bucket', bucket, bucket_quota), ('user', owner, user_quota))
      as q (scope, name, bytes)
    where q.bytes is not null and q.name is not null;
  granted := least(wanted, room);
  if granted < needed then
    return null;
  end if;
  insert into storage.upload_reservations (id, holder, bucket_id, owner_id, bytes, expires_at)
    values (
      reservation_id, holder_id, bucket, owner, greatest(granted - overwritten, 0),
      pg_catalog.now() + interval '2 minutes'
    );
  return granted;
end
$$;

-- Raises PT429 where an account, or all anonymous requests to a bucket, have too many uploads under way. It is called in
-- the transaction that begins another one; two of these wait for each other.
create function storage.require_few_uploads(bucket text, owner text, most integer) returns void
language plpgsql
set search_path = ''
as $$
declare
  unfinished integer;
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('storage uploads of ' || coalesce('user ' || owner, 'bucket ' || bucket), 0)
  );
  if owner is not null then
    select count(*) into unfinished from (
      (select from storage.resumable_uploads where owner_id = owner and not is_finished limit most)
      union all
      (select from storage.s3_multipart_uploads where owner_id = owner limit most)
    ) as u;
  else
    select count(*) into unfinished from (
      (select from storage.resumable_uploads
        where owner_id is null and not is_finished and bucket_id = bucket and begun_by <> 'service_role' limit most)
      union all
      (select from storage.s3_multipart_uploads
        where owner_id is null and bucket_id = bucket and begun_by <> 'service_role' limit most)
    ) as u;
  end if;
  if unfinished >= most then
    raise exception 'too many unfinished uploads' using errcode = 'PT429';
  end if;
end
$$;
revoke execute on function
  storage.require_few_uploads(text, text, integer),
  storage.add_usage(text[], text[], bigint[]),
  storage.reserve_bytes(uuid, uuid, text, text, text, boolean, bigint, bigint, bigint, bigint, bigint)
  from public;

-- What there is already.
select storage.add_usage(array_agg(bucket_id), array_agg(owner_id), array_agg(bytes)) from (
  select bucket_id, owner_id, sum(storage.object_bytes(version, metadata))::bigint as bytes
    from storage.objects group by bucket_id, owner_id
  union all
  select bucket_id, owner_id, sum(storage.resumable_bytes(is_finished, length, reserved, received))::bigint
    from storage.resumable_uploads group by bucket_id, owner_id
  union all
  select bucket_id, owner_id, sum(size)::bigint from storage.s3_multipart_uploads_parts group by bucket_id, owner_id
) as there_is;

reset role;
