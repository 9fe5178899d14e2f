-- The files of people: a bucket, and who may do what in it. The file may run more than once.
do $files$
begin
  -- Earlier versions of Greenroom created the bucket and its policies themselves, in every database.
  if exists (
    select from pg_catalog.pg_policies
    where (schemaname, tablename, policyname) = ('storage', 'objects', 'people see files of their own')
  ) then
    raise notice 'the bucket "files" has its policies, which stay as they are';
    return;
  end if;

  -- A bucket of that name that is there already stays as it is.
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('files', 'files', false, 50000000, array[
    'image/*', 'audio/*', 'video/*', 'text/*', 'font/*', 'application/octet-stream', 'application/pdf',
    'application/json', 'application/xml', 'application/rtf', 'application/epub+zip', 'application/zip',
    'application/x-zip-compressed', 'application/gzip', 'application/x-gzip', 'application/x-tar',
    'application/x-7z-compressed', 'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.presentation'
  ])
  on conflict do nothing;

  -- The first folder of a key is its owner's id. OAuth applications, whose tokens have the claim `client_id`, get nothing.
  create policy "people see files of their own" on storage.objects for select to authenticated
    using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text
      and (select auth.jwt() ->> 'client_id') is null);
  create policy "people add files of their own" on storage.objects for insert to authenticated
    with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text
      and (select auth.jwt() ->> 'client_id') is null);
  create policy "people change files of their own" on storage.objects for update to authenticated
    using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text
      and (select auth.jwt() ->> 'client_id') is null)
    with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text
      and (select auth.jwt() ->> 'client_id') is null);
  create policy "people delete files of their own" on storage.objects for delete to authenticated
    using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text
      and (select auth.jwt() ->> 'client_id') is null);
end
$files$;
