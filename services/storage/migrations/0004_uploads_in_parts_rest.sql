-- Uploads in parts that nobody goes on with are looked for.

set local role supabase_storage_admin;

create index idx_multipart_uploads_created_at on storage.s3_multipart_uploads (created_at);

reset role;
