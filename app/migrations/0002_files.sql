-- Files of the home page and pictures of people: two buckets of storage, and who may do what in them. Plain SQL for any
-- database that has the schemas auth and storage, the hosted service's among them, and it may run more than once.
do $files$
begin
  if to_regclass('storage.buckets') is null or to_regclass('storage.objects') is null then
    raise warning 'there is no storage here, so there will be no files';
    return;
  end if;

  -- A bucket of that name that is there already stays as it is.
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values
    ('files', 'files', false, 50000000, array[
      'image/*', 'audio/*', 'video/*', 'text/*', 'font/*', 'application/octet-stream', 'application/pdf',
      'application/json', 'application/xml', 'application/rtf', 'application/epub+zip', 'application/zip',
      'application/x-zip-compressed', 'application/gzip', 'application/x-gzip', 'application/x-tar',
      'application/x-7z-compressed', 'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
      'application/vnd.oasis.opendocument.presentation'
    ]),
    ('avatars', 'avatars', true, 1048576, array['image/png', 'image/webp'])
  on conflict do nothing;

  -- The first folder of a key is its owner's id, in both buckets.
  drop policy if exists "people see files of their own" on storage.objects;
  create policy "people see files of their own" on storage.objects for select to authenticated
    using (bucket_id in ('files', 'avatars') and (storage.foldername(name))[1] = (select auth.uid())::text);
  drop policy if exists "people add files of their own" on storage.objects;
  create policy "people add files of their own" on storage.objects for insert to authenticated
    with check (bucket_id in ('files', 'avatars') and (storage.foldername(name))[1] = (select auth.uid())::text);
  drop policy if exists "people change files of their own" on storage.objects;
  create policy "people change files of their own" on storage.objects for update to authenticated
    using (bucket_id in ('files', 'avatars') and (storage.foldername(name))[1] = (select auth.uid())::text)
    with check (bucket_id in ('files', 'avatars') and (storage.foldername(name))[1] = (select auth.uid())::text);
  drop policy if exists "people delete files of their own" on storage.objects;
  create policy "people delete files of their own" on storage.objects for delete to authenticated
    using (bucket_id in ('files', 'avatars') and (storage.foldername(name))[1] = (select auth.uid())::text);
end
$files$;
