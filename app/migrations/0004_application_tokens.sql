-- OAuth applications get nothing of the board, the files and the pictures: their access tokens carry the claim
-- `client_id`, and a person who allows an application to read an email address does not share notes and files with it.
-- Plain SQL for any database that has the schema auth, the hosted service's among them, and it may run more than once.
do $applications$
declare
  is_own_session constant text := $$((select auth.jwt() ->> 'client_id') is null)$$;
  found record;
begin
  -- The table is the board's alone, so one restrictive policy covers every policy that it has or will get.
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = to_regclass('public.notes') and attname = 'owner_name' and not attisdropped
  ) then
    drop policy if exists "applications have no access to notes" on public.notes;
    execute format(
      'create policy "applications have no access to notes" on public.notes as restrictive for all using (%1$s) with check (%1$s)',
      is_own_session);
  end if;

  -- The other tables also serve a project's own buckets and channels, whose policies decide for themselves. The
  -- expression of each policy is extended as it is now, so that a change that somebody has made to it stays.
  for found in
    select schemaname, tablename, policyname, qual, with_check from pg_catalog.pg_policies
    where (
      (schemaname, tablename) = ('storage', 'objects') and policyname in (
        'people see files of their own', 'people add files of their own',
        'people change files of their own', 'people delete files of their own')
      or (schemaname, tablename) = ('realtime', 'messages') and policyname in (
        'people hear the board', 'people speak on the board')
    ) and coalesce(qual, '') || coalesce(with_check, '') not like '%client_id%'
  loop
    execute format('alter policy %I on %I.%I', found.policyname, found.schemaname, found.tablename)
      || coalesce(' using ((' || found.qual || ') and ' || is_own_session || ')', '')
      || coalesce(' with check ((' || found.with_check || ') and ' || is_own_session || ')', '');
  end loop;
end
$applications$;
