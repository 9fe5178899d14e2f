-- Indexes and functions for lists that are sorted by a date: a page of a large folder reads little more than its rows.

set local role supabase_storage_admin;

create index if not exists idx_objects_bucket_id_created_at on storage.objects (bucket_id, created_at);
create index if not exists idx_objects_bucket_id_updated_at on storage.objects (bucket_id, updated_at);
-- The folder of each object, in lower case and with its slash. Objects of one folder share an entry, so it is small.
create index if not exists idx_objects_bucket_id_folder on storage.objects
  (bucket_id, (left(name_lower, length(name_lower) - position('/' in reverse('/' || name_lower)) + 1)) collate "C");

-- Returns the folders directly below `start`, in lower case and with their slash, in the order of bytes. It reads the
-- objects of all users, so it returns null unless the storage service has logged in: other callers of the functions
-- below must not learn names from it. The service returns a folder only if its caller may see an object in it.
create or replace function storage.subfolders(bucket text, start text) returns text[]
language plpgsql stable security definer
set search_path = '' set enable_bitmapscan = off set enable_sort = off
as $$
#variable_conflict use_column
declare
  -- Sorts after all names with the same beginning, in the order of bytes.
  behind constant text := pg_catalog.chr(1114111);
begin
  if session_user <> 'supabase_storage_admin' then
    return null;
  end if;
  return array(
    -- Each step reads one entry of the index: the first folder after the previous one.
    with recursive found as (
      select null::text as folder
      union all
      select left(next.folder, length(start) + position('/' in substr(next.folder, length(start) + 1)))
        from found as previous cross join lateral (
          select left(name_lower, length(name_lower) - position('/' in reverse('/' || name_lower)) + 1) as folder
            from storage.objects
            where bucket_id = bucket
              and left(name_lower, length(name_lower) - position('/' in reverse('/' || name_lower)) + 1) collate "C"
                > coalesce(previous.folder || behind, start)
              and left(name_lower, length(name_lower) - position('/' in reverse('/' || name_lower)) + 1) collate "C"
                < start || behind
            order by left(name_lower, length(name_lower) - position('/' in reverse('/' || name_lower)) + 1) collate "C"
            limit 1
        ) as next
    )
    select folder from found where folder is not null
  );
end
$$;

-- The first form of lists, sorted by a date. Folders have no date and come first. Each of the following steps is only
-- taken if the previous one did not return the whole page:
--
-- 1. Folders: the names are known without reading files.
-- 2. A folder of up to 1,000 files: read all.
-- 3. Read the bucket in the order of the date, up to 5,000 rows: enough if a few percent of it are in the folder. A larger
--    limit would make the next step slower where it is needed.
-- 4. Read all files of the folder, and keep as many as the page ends at.
create or replace function storage.list_children_by_date(
  bucket text, full_prefix text, told_from integer, wanted bigint, skipped bigint, is_ascending boolean, date_column text
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
-- Rows are read in the order of indexes. Other sorts still happen.
set enable_bitmapscan = off set enable_sort = off
as $$
#variable_conflict use_column
declare
  behind constant text := chr(1114111);
  start constant text := lower(full_prefix);
  start_length constant integer := length(start);
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  small_folder constant integer := 1000;
  most_reads constant bigint := 5000;
  folders text[] := storage.subfolders(bucket, start);
  -- Bounds of the names between folders.
  files_from text[];
  files_to text[];
  returned bigint;
  files_wanted bigint := wanted;
  files_skipped bigint := skipped;
  reads bigint;
  is_cut boolean;
  ids uuid[];
begin
  if folders is null then
    -- Folders that the caller may see, found between files.
    folders := array(
      with recursive found as (
        select null::text as folder, start as lower_bound
        union all
        select next.folder, next.folder || behind
          from found as previous cross join lateral (
            select left(name_lower, start_length + position('/' in substr(name_lower, start_length + 1))) as folder
              from storage.objects
              where bucket_id = bucket
                and name_lower collate "C" >= previous.lower_bound and name_lower collate "C" < start || behind
                and position('/' in substr(name_lower, start_length + 1)) > 0
              order by name_lower collate "C" limit 1
          ) as next
      )
      select folder from found where folder is not null
    );
  end if;

  -- A folder has the spelling of its first entry that the caller may see, and is hidden without such an entry.
  if cardinality(folders) > 0 then
    return query
      select substr(left(case when is_ascending then f.first_name else f.last_name end, length(f.folder) - 1), told_from),
          null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
        from (
          select o.folder,
              case when is_ascending then (
                select name from storage.objects
                  where bucket_id = bucket
                    and name_lower collate "C" >= o.folder and name_lower collate "C" < o.folder || behind
                  order by name_lower collate "C" limit 1
              ) end as first_name,
              case when not is_ascending then (
                select name from storage.objects
                  where bucket_id = bucket
                    and name_lower collate "C" >= o.folder and name_lower collate "C" < o.folder || behind
                  order by name_lower collate "C" desc limit 1
              ) end as last_name
            from unnest(case when is_ascending then folders else array(
              select folder from unnest(folders) with ordinality as u (folder, position) order by position desc
            ) end) as o (folder)
            -- Not evaluated beyond the page.
            offset 0
        ) as f
        where f.first_name is not null or f.last_name is not null
        limit wanted offset skipped;
    get diagnostics returned = row_count;
    if returned = wanted then
      return;
    end if;
    if returned > 0 or skipped = 0 then
      files_skipped := 0;
      files_wanted := wanted - returned;
    else
      files_skipped := skipped - (
        select count(*) from unnest(folders) as f (folder) where exists (
          select from storage.objects
            where bucket_id = bucket
              and name_lower collate "C" >= f.folder and name_lower collate "C" < f.folder || behind
        )
      );
    end if;
  end if;
  files_from := start || array(select folder || behind from unnest(folders) as f (folder));
  files_to := folders || (start || behind);

  ids := array(
    select o.id
      from unnest(files_from, files_to) as f (files_from, files_to) cross join lateral (
        select id from storage.objects
          where bucket_id = bucket and name_lower collate "C" >= f.files_from and name_lower collate "C" < f.files_to
          offset 0
      ) as o
      limit small_folder + 1
  );
  if cardinality(ids) <= small_folder then
    return query
      select substr(o.name, told_from), o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        from (
          select *,
              case date_column
                when 'updated_at' then updated_at
                when 'created_at' then created_at
                else last_accessed_at
              end as sorted_by
            from storage.objects where id = any (ids)
        ) as o
        order by case when is_ascending then o.sorted_by end, case when not is_ascending then o.sorted_by end desc,
          case when is_ascending then o.name_lower end collate "C", o.name_lower collate "C" desc
        limit files_wanted offset files_skipped;
    return;
  end if;

  reads := 2 * (files_wanted + files_skipped) + 100;
  while date_column in ('created_at', 'updated_at') and reads <= most_reads loop
    -- Rows with the last date that was read are left out, unless no more follow: rows with the same date are sorted by
    -- their names.
    execute format($walk$
      with walked as materialized (
        select id, name_lower, %1$I as sorted_by from storage.objects where bucket_id = $1 order by %1$I %2$s limit $2
      ), last_read as (
        select sorted_by from walked order by sorted_by %3$s limit 1
      )
      select array(
          select id from walked
            where (count_read < $2 or sorted_by is distinct from (select sorted_by from last_read))
              and name_lower collate "C" >= $3 and name_lower collate "C" < $3 || $4
              and position('/' in substr(name_lower, $5)) = 0
            order by sorted_by %2$s, name_lower collate "C" %2$s limit $6 offset $7
        ), count_read = $2
        from (select count(*) as count_read from walked) as c
      $walk$, date_column, direction, case when is_ascending then 'desc' else 'asc' end)
      into ids, is_cut
      using bucket, reads, start, behind, start_length + 1, files_wanted, files_skipped;
    if cardinality(ids) = files_wanted or not is_cut then
      return query
        select substr(o.name, told_from), o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
          from unnest(ids) with ordinality as i (id, position) join storage.objects as o on o.id = i.id
          order by i.position;
      return;
    end if;
    reads := reads * 10;
  end loop;

  return query
    select substr(o.name, told_from), o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
      from unnest(files_from, files_to) as f (files_from, files_to) cross join lateral (
        select *,
            case date_column
              when 'updated_at' then updated_at
              when 'created_at' then created_at
              else last_accessed_at
            end as sorted_by
          from storage.objects
          where bucket_id = bucket and name_lower collate "C" >= f.files_from and name_lower collate "C" < f.files_to
          -- Not sorted before the names between folders are known.
          offset 0
      ) as o
      order by case when is_ascending then o.sorted_by end, case when not is_ascending then o.sorted_by end desc,
        case when is_ascending then o.name_lower end collate "C", o.name_lower collate "C" desc
      limit files_wanted offset files_skipped;
end
$$;

-- The second form of lists without folders, sorted by a date in milliseconds and then by name; a missing date counts as
-- 1970. The page begins after `start_after` and its date `after_date`, unless `start_after` is empty. Like
-- list_children_by_date, it reads all objects of a small prefix, or else the bucket in the order of the date.
create or replace function storage.list_flat_by_date(
  bucket text, prefix text, wanted bigint, start_after text, after_date timestamptz, is_ascending boolean,
  date_column text
) returns table (
  id uuid, name text, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz
)
language plpgsql stable
set enable_bitmapscan = off set enable_sort = off
as $$
#variable_conflict use_column
declare
  behind constant text := chr(1114111);
  small_prefix constant integer := 1000;
  most_reads constant bigint := 5000;
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  by_update constant boolean := date_column = 'updated_at';
  has_cursor constant boolean := coalesce(start_after, '') <> '';
  -- Bounds of the dates that may follow the cursor.
  first_date constant timestamptz := case when has_cursor and is_ascending then after_date else '-infinity' end;
  last_date constant timestamptz := case when has_cursor and not is_ascending
    then after_date + interval '999 microseconds' else 'infinity' end;
  reads bigint := 2 * wanted + 100;
  has_missing_dates boolean;
  is_cut boolean;
  ids uuid[];
begin
  if prefix <> '' then
    ids := array(
      select id from storage.objects
        where bucket_id = bucket and name collate "C" >= prefix and name collate "C" < prefix || behind
        limit small_prefix + 1
    );
  end if;
  if ids is null or cardinality(ids) > small_prefix then
    ids := null;
    has_missing_dates := case when by_update
      then exists (select from storage.objects where bucket_id = bucket and updated_at is null)
      else exists (select from storage.objects where bucket_id = bucket and created_at is null)
    end;
    while not has_missing_dates and reads <= most_reads loop
      -- Rows of the last millisecond that was read are left out, unless no more follow.
      execute format($walk$
        with walked as materialized (
          select id, name, date_trunc('milliseconds', %1$I) as sorted_by
            from storage.objects
            where bucket_id = $1 and %1$I >= $3 and %1$I <= $4
            order by %1$I %2$s limit $2
        ), last_read as (
          select sorted_by from walked order by sorted_by %3$s limit 1
        )
        select array(
            select id from walked
              where (count_read < $2 or sorted_by <> (select sorted_by from last_read))
                and name collate "C" >= $5 and name collate "C" < $5 || $6
                and ($7 = '' or (sorted_by, name collate "C") %4$s ($8, $7))
              order by sorted_by %2$s, name collate "C" %2$s limit $9
          ), count_read = $2
          from (select count(*) as count_read from walked) as c
        $walk$, date_column, direction, case when is_ascending then 'desc' else 'asc' end,
          case when is_ascending then '>' else '<' end)
        into ids, is_cut
        using bucket, reads, first_date, last_date, prefix, behind, coalesce(start_after, ''), after_date, wanted;
      if cardinality(ids) = wanted or not is_cut then
        return query
          select o.id, o.name, o.metadata, o.updated_at, o.created_at, o.last_accessed_at
            from unnest(ids) with ordinality as i (id, position) join storage.objects as o on o.id = i.id
            order by i.position;
        return;
      end if;
      ids := null;
      reads := reads * 10;
    end loop;
  end if;
  return query
    select o.id, o.name, o.metadata, o.updated_at, o.created_at, o.last_accessed_at
      from (
        select *, coalesce(
            date_trunc('milliseconds', case when by_update then updated_at else created_at end), 'epoch'::timestamptz
          ) as sorted_by
          from storage.objects
          where bucket_id = bucket and name collate "C" >= prefix and name collate "C" < prefix || behind
            and (ids is null or id = any (ids))
      ) as o
      where not has_cursor
        or is_ascending and (o.sorted_by, o.name collate "C") > (after_date, start_after)
        or not is_ascending and (o.sorted_by, o.name collate "C") < (after_date, start_after)
      order by
        case when is_ascending then o.sorted_by end, case when is_ascending then o.name end collate "C",
        o.sorted_by desc, o.name collate "C" desc
      limit wanted;
end
$$;

-- The second form of lists with folders, sorted by a date. Below a prefix without folders it is the same as without.
create or replace function storage.list_folder_by_date(
  bucket text, prefix text, wanted integer, start_after text, sort_order text, date_column text, after_date text
) returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  key_from constant integer := length(prefix) - position('/' in reverse(prefix) || '/') + 2;
begin
  if cardinality(storage.subfolders(bucket, lower(prefix))) = 0 then
    return query
      select substr(l.name, key_from), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
        from storage.list_flat_by_date(
          bucket, prefix, wanted, start_after, coalesce(nullif(after_date, ''), '1970-01-01T00:00:00Z')::timestamptz,
          sort_order <> 'desc', date_column
        ) as l;
  else
    return query
      select l.key, l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
        from storage.search_v2(prefix, bucket, wanted, 1, start_after, sort_order, date_column, after_date) as l;
  end if;
end
$$;

reset role;
