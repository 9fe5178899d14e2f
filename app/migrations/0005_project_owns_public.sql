-- The board and the files belong to the project in `demo/`, which has them as migrations of its own; schema `public`,
-- buckets and policies of a database are its project's. What the migrations before this one created is removed where
-- nothing is in it: a project can then use these names. Everything else stays, and the migrations of the demo accept it.

-- The accounts that were deleted, until their pictures are removed from storage. The server reads it.
create table greenroom.deleted_accounts (
  id uuid primary key,
  deleted_at timestamptz not null default now(),
  -- When the server last read the row: it reads the others first.
  read_at timestamptz
);
comment on table greenroom.deleted_accounts is 'Deleted accounts whose pictures remain to be removed from storage.';
alter table greenroom.deleted_accounts enable row level security;

-- Roles that delete accounts have no access to the table.
create function greenroom.record_deleted_account() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into greenroom.deleted_accounts (id) values (old.id)
  on conflict (id) do update set deleted_at = excluded.deleted_at, read_at = null;
  return null;
end
$$;
revoke execute on function greenroom.record_deleted_account() from public;
create trigger greenroom_record_deleted_account after delete on auth.users
  for each row execute function greenroom.record_deleted_account();

do $board$
declare
  columns text[];
  has_rows boolean;
begin
  select array_agg(attname::text order by attname) into columns from pg_catalog.pg_attribute
  where attrelid = to_regclass('public.notes') and attnum > 0 and not attisdropped;
  if columns is distinct from
    '{color,created_at,id,is_shared,owner_id,owner_name,text,updated_at,version}'::text[]
  then
    return;
  end if;
  execute 'select exists (select from public.notes)' into has_rows;
  if has_rows then
    return;
  end if;
  drop table public.notes;
  drop function public.stamp_note();
  drop function public.tell_hidden_note();
  drop policy if exists "people hear the board" on realtime.messages;
  drop policy if exists "people speak on the board" on realtime.messages;
exception
  -- The project refers to the table or a function.
  when dependent_objects_still_exist or undefined_function then
    raise notice 'the board stays: %', sqlerrm;
end
$board$;

do $files$
declare
  has_rows boolean;
begin
  if to_regclass('storage.buckets') is null or to_regclass('storage.objects') is null
    or exists (select from storage.objects where bucket_id in ('files', 'avatars'))
    or exists (select from storage.s3_multipart_uploads where bucket_id in ('files', 'avatars'))
  then
    return;
  end if;
  if to_regclass('public.greenroom_deleted_people') is not null then
    execute 'select exists (select from public.greenroom_deleted_people)' into has_rows;
    if has_rows then
      return;
    end if;
  end if;

  -- A bucket with other limits is one that the project has set up.
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.buckets
  where (id, public, file_size_limit) in (('files', false, 50000000), ('avatars', true, 1048576));
  perform set_config('storage.allow_delete_query', 'false', true);
  drop policy if exists "people see files of their own" on storage.objects;
  drop policy if exists "people add files of their own" on storage.objects;
  drop policy if exists "people change files of their own" on storage.objects;
  drop policy if exists "people delete files of their own" on storage.objects;

  drop trigger if exists greenroom_note_deleted_person on auth.users;
  drop function if exists public.greenroom_note_deleted_person();
  drop table if exists public.greenroom_deleted_people;
exception
  -- The project refers to one of them.
  when dependent_objects_still_exist or foreign_key_violation then
    raise notice 'the files stay: %', sqlerrm;
end
$files$;
