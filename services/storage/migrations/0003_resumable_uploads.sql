-- Uploads that may be broken off and gone on with (TUS): what has come so far, and which request is at it.

set local role supabase_storage_admin;

create table storage.resumable_uploads (
  -- Names the content, and becomes the version of the object.
  version uuid not null primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  key text not null collate "C",
  -- Bytes; null as long as the client has not said it.
  length bigint,
  received bigint not null default 0,
  -- What the client has said of the object, as in header Upload-Metadata.
  metadata jsonb not null,
  -- Where in the store the bytes are. Null once they are the object's.
  content jsonb,
  is_finished boolean not null default false,
  created_at timestamptz not null default now(),
  -- So long as nothing comes.
  rests_since timestamptz not null default now(),
  -- One request at a time may add to it, as long as it says in time that it is still there.
  lease_holder uuid,
  lease_until timestamptz,
  is_lease_wanted boolean not null default false
);
create index resumable_uploads_rests_since_index on storage.resumable_uploads (rests_since);
create index resumable_uploads_bucket_index on storage.resumable_uploads (bucket_id);
create index resumable_uploads_lease_index on storage.resumable_uploads (lease_holder) where lease_holder is not null;
-- Nobody but storage itself has to do with it.
alter table storage.resumable_uploads enable row level security;

reset role;
