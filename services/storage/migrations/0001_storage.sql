-- Buckets, objects and what policies on them are written with. Names and types as the hosted service has them, so that
-- SQL written for it runs here unchanged. PostgreSQL 15 to 18; a superuser is not required.

set local role supabase_storage_admin;

-- Triggers and policies of people's own find their functions as they do in other services; none of them runs for ever.
alter role supabase_storage_admin set search_path = storage, public, extensions;
alter role supabase_storage_admin set statement_timeout = '30s';

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text not null primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD',
  versioning_status text not null default 'DISABLED'
);
create unique index bname on storage.buckets (name);
comment on column storage.buckets.owner is 'Deprecated: owner_id holds ids of any form.';

create table storage.objects (
  id uuid not null primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  archived_at timestamptz,
  is_delete_marker boolean not null default false,
  is_versioned boolean not null default false,
  name_lower text generated always as (lower(name)) stored
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, name_lower collate "C");
create index name_prefix_search on storage.objects (name text_pattern_ops);
-- Files without a row are looked for by it.
create index objects_version_index on storage.objects (version);
comment on column storage.objects.owner is 'Deprecated: owner_id holds ids of any form.';
comment on column storage.objects.name_lower is
  'For lists: below policies, an index can be looked up by a column, but not by what a function makes of it.';
comment on column storage.objects.version is 'Names the content: it changes whenever the content does.';

create table storage.s3_multipart_uploads (
  id text not null primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets (id),
  key text not null collate "C",
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb,
  metadata jsonb
);
create index idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);

create table storage.s3_multipart_uploads_parts (
  id uuid not null primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets (id),
  key text not null collate "C",
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);
create index s3_multipart_uploads_parts_upload_index
  on storage.s3_multipart_uploads_parts (upload_id, part_number);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;

create function storage.update_updated_at_column() returns trigger
language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

-- A row that is deleted by SQL would leave its content behind.
create function storage.protect_delete() returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using hint = 'The content of the objects would stay behind.', errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

create function storage.enforce_bucket_name_length() returns trigger
language plpgsql
as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end
$$;
create trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets
  for each row execute function storage.enforce_bucket_name_length();

-- What policies take names apart with.

create function storage.foldername(name text) returns text[]
language sql immutable
as $$
  select parts[1 : cardinality(parts) - 1] from string_to_array(name, '/') as parts
$$;
create function storage.filename(name text) returns text
language sql immutable
as $$
  select parts[cardinality(parts)] from string_to_array(name, '/') as parts
$$;
create function storage.extension(name text) returns text
language sql immutable
as $$
  select reverse(split_part(reverse(storage.filename(name)), '.', 1))
$$;

-- What the request does, e.g. `storage.object.upload`: policies may tell one from another.
create function storage.operation() returns text
language sql stable
as $$
  select current_setting('storage.operation', true)
$$;
create function storage.allow_any_operation(expected_operations text[]) returns boolean
language sql stable
as $$
  select coalesce(
    regexp_replace(storage.operation(), '^storage\.', '')
      = any (select regexp_replace(expected, '^storage\.', '') from unnest(expected_operations) as expected where expected <> ''),
    false
  )
$$;
create function storage.allow_only_operation(expected_operation text) returns boolean
language sql stable
as $$
  select storage.allow_any_operation(array[expected_operation])
$$;

-- Raises what the policies say about a new object, and leaves nothing behind.
create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;

create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
language sql stable
as $$
  select coalesce(sum((objects.metadata ->> 'size')::bigint), 0)::bigint, objects.bucket_id
    from storage.objects group by objects.bucket_id
$$;


reset role;
