-- The functions of 0002_lists.sql once more: databases that an early version made have slower ones of the same names.
set local role supabase_storage_admin;

-- What is in a folder, in the order of names in lower case, which is how the first form of lists orders and looks for
-- names. `full_prefix` is the folder and the beginning of the names in it; names are told from `told_from` on.
--
-- It goes through the index in steps. A step takes a few entries, and says behind which name the next one begins: behind
-- the last entry, or behind the folder that this is in. After files, steps grow; after a folder they are of one entry,
-- since another folder is likely to follow. Who has enough asks for no further step.
create or replace function storage.list_children(
  bucket text, full_prefix text, told_from integer, wanted bigint, skipped bigint, is_ascending boolean
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
-- Entries are taken from the index in its order, however few or many the planner thinks there are.
set enable_bitmapscan = off set enable_sort = off
as $$
#variable_conflict use_column
declare
  -- Behind all names that begin alike, in the order of bytes.
  behind constant text := chr(1114111);
  -- A name that follows on another directly.
  next_one constant text := chr(1);
  most_at_once constant integer := 256;
  start constant text := lower(full_prefix);
  start_length constant integer := length(start);
begin
  return query
    with recursive found as (
      select null::text as name, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata, null::text as folder, false as is_told,
          true as is_last, start as lower_bound, start || behind as upper_bound, 1 as at_once
      union all
      select entry.*
        from found as before cross join lateral (
          -- Windows without an order go through rows as they come. Of a folder, the first entry stands for it.
          select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata, o.folder,
              o.folder is null or o.folder is distinct from lag(o.folder) over (), lead(false, 1, true) over (),
              case when is_ascending then coalesce(o.folder || behind, o.name_lower || next_one) else start end,
              case when is_ascending then before.upper_bound else coalesce(o.folder, o.name_lower) end,
              case when o.folder is null then least(before.at_once * 2, most_at_once) else 1 end
            from (
              -- One of the two is never begun. Names that differ in case only are not torn apart.
              (select name, name_lower, id, updated_at, created_at, last_accessed_at, metadata,
                  left(name_lower, start_length + nullif(position('/' in substr(name_lower, start_length + 1)), 0)) as folder
                from storage.objects
                where is_ascending and bucket_id = bucket
                  and name_lower collate "C" >= before.lower_bound and name_lower collate "C" < before.upper_bound
                order by name_lower collate "C" fetch first (before.at_once) rows with ties)
              union all
              (select name, name_lower, id, updated_at, created_at, last_accessed_at, metadata,
                  left(name_lower, start_length + nullif(position('/' in substr(name_lower, start_length + 1)), 0)) as folder
                from storage.objects
                where not is_ascending and bucket_id = bucket
                  and name_lower collate "C" >= before.lower_bound and name_lower collate "C" < before.upper_bound
                order by name_lower collate "C" desc fetch first (before.at_once) rows with ties)
            ) as o
        ) as entry
        where before.is_last
    )
    select substr(case when folder is null then name else left(name, length(folder) - 1) end, told_from),
        case when folder is null then id end, case when folder is null then updated_at end,
        case when folder is null then created_at end, case when folder is null then last_accessed_at end,
        case when folder is null then metadata end
      from found where is_told limit wanted offset skipped;
end
$$;

-- The same in the order of a date. Folders have none, and come first. Between them are files: of these, no more are kept
-- than are wanted.
create or replace function storage.list_children_by_date(
  bucket text, full_prefix text, told_from integer, wanted bigint, skipped bigint, is_ascending boolean, date_column text
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
-- Folders are looked for in the order of the index; what is sorted is sorted all the same.
set enable_sort = off
as $$
#variable_conflict use_column
declare
  behind constant text := chr(1114111);
  start constant text := lower(full_prefix);
  start_length constant integer := length(start);
begin
  return query
    -- Each row is a folder, and the bounds of the names in front of it; the last one has no folder. Only what the index has
    -- is looked at, so that whoever sees everything need not have the rows read.
    with recursive found as (
      select ''::text as folder, null::text as files_from, null::text as files_to, start as lower_bound
      union all
      select next.folder, before.lower_bound, coalesce(next.folder, start || behind), next.folder || behind
        from found as before left join lateral (
          select left(name_lower, start_length + position('/' in substr(name_lower, start_length + 1))) as folder
            from storage.objects
            where bucket_id = bucket
              and name_lower collate "C" >= before.lower_bound and name_lower collate "C" < start || behind
              and position('/' in substr(name_lower, start_length + 1)) > 0
            order by name_lower collate "C" limit 1
        ) as next on true
        where before.folder is not null
    )
    (
      -- Spelled as in its first entry.
      select substr(left(
            case when is_ascending then (
              select o.name from storage.objects as o
                where o.bucket_id = bucket
                  and o.name_lower collate "C" >= f.folder and o.name_lower collate "C" < f.folder || behind
                order by o.name_lower collate "C" limit 1
            ) else (
              select o.name from storage.objects as o
                where o.bucket_id = bucket
                  and o.name_lower collate "C" >= f.folder and o.name_lower collate "C" < f.folder || behind
                order by o.name_lower collate "C" desc limit 1
            ) end, length(f.folder) - 1), told_from),
          null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
        from found as f where f.folder <> ''
        order by case when is_ascending then f.folder end collate "C", f.folder collate "C" desc
        limit wanted + skipped
    )
    union all
    (
      select substr(o.name, told_from), o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        from found as f cross join lateral (
          select *,
              case date_column
                when 'updated_at' then updated_at
                when 'created_at' then created_at
                else last_accessed_at
              end as sorted_by
            from storage.objects
            where bucket_id = bucket and name_lower collate "C" >= f.files_from and name_lower collate "C" < f.files_to
            -- Not to be sorted before it is known what is between folders.
            offset 0
        ) as o
        order by case when is_ascending then o.sorted_by end, case when not is_ascending then o.sorted_by end desc,
          case when is_ascending then o.name_lower end collate "C", o.name_lower collate "C" desc
        limit wanted + skipped
    )
    limit wanted offset skipped;
end
$$;

-- The first form of lists. `levels` is there for those who call it as the hosted service has it; nothing depends on it.
create or replace function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  full_prefix constant text := coalesce(prefix, '') || coalesce(search, '');
  told_from constant integer := length(coalesce(prefix, '')) + 1;
  wanted constant bigint := greatest(least(coalesce(limits, 100), 1500), 0);
  skipped constant bigint := greatest(offsets, 0);
  is_ascending constant boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
  sort_column constant text := lower(coalesce(sortcolumn, 'name'));
begin
  if sort_column in ('updated_at', 'created_at', 'last_accessed_at') then
    return query select * from storage.list_children_by_date(
      bucketname, full_prefix, told_from, wanted, skipped, is_ascending, sort_column
    );
  else
    return query select * from storage.list_children(bucketname, full_prefix, told_from, wanted, skipped, is_ascending);
  end if;
end
$$;

-- Names in the order of bytes, those that have the delimiter behind the prefix gathered as one, which is told without its
-- delimiter. What comes is behind `start_after`, or `next_token`, where a gathered name counts with its delimiter.
create or replace function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
) returns table (
  name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz
)
language plpgsql stable
-- Entries are taken from the index in its order, however few or many the planner thinks there are.
set enable_bitmapscan = off set enable_sort = off
as $$
#variable_conflict use_column
declare
  behind constant text := chr(1114111);
  next_one constant text := chr(1);
  most_at_once constant integer := 256;
  prefix constant text := coalesce(prefix_param, '');
  prefix_length constant integer := length(prefix);
  is_ascending constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
  after constant text := coalesce(nullif(next_token, ''), start_after, '');
  -- Of what the list goes on behind: the folder, where it is in one.
  after_folder constant text := case when starts_with(after, prefix) then
    left(after, prefix_length + length(delimiter_param) - 1
      + nullif(position(delimiter_param in substr(after, prefix_length + 1)), 0))
    end;
  first_bound text := prefix;
  last_bound text := prefix || behind;
begin
  if after <> '' and is_ascending then
    first_bound := greatest(first_bound collate "C", coalesce(after_folder || behind, after || next_one));
  elsif after <> '' then
    last_bound := least(last_bound collate "C", after);
  end if;
  -- In steps, as in list_children.
  return query
    with recursive found as (
      select null::text as name, null::uuid as id, null::jsonb as metadata, null::timestamptz as updated_at,
          null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::text as folder, false as is_told,
          true as is_last, first_bound as lower_bound, last_bound as upper_bound, 1 as at_once
      union all
      select entry.*
        from found as before cross join lateral (
          select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at, o.folder,
              o.folder is null or o.folder is distinct from lag(o.folder) over (), lead(false, 1, true) over (),
              case when is_ascending then coalesce(o.folder || behind, o.name || next_one) else before.lower_bound end,
              case when is_ascending then before.upper_bound else coalesce(o.folder, o.name) end,
              case when o.folder is null then least(before.at_once * 2, most_at_once) else 1 end
            from (
              (select name, id, metadata, updated_at, created_at, last_accessed_at,
                  left(name, prefix_length + length(delimiter_param) - 1
                    + nullif(position(delimiter_param in substr(name, prefix_length + 1)), 0)) as folder
                from storage.objects
                where is_ascending and bucket_id = _bucket_id
                  and name collate "C" >= before.lower_bound and name collate "C" < before.upper_bound
                order by name collate "C" limit before.at_once)
              union all
              (select name, id, metadata, updated_at, created_at, last_accessed_at,
                  left(name, prefix_length + length(delimiter_param) - 1
                    + nullif(position(delimiter_param in substr(name, prefix_length + 1)), 0)) as folder
                from storage.objects
                where not is_ascending and bucket_id = _bucket_id
                  and name collate "C" >= before.lower_bound and name collate "C" < before.upper_bound
                order by name collate "C" desc limit before.at_once)
            ) as o
        ) as entry
        where before.is_last
    )
    select case when folder is null then name else left(folder, -length(delimiter_param)) end,
        case when folder is null then id end, case when folder is null then metadata end,
        case when folder is null then updated_at end, case when folder is null then created_at end,
        case when folder is null then last_accessed_at end
      from found where is_told limit greatest(max_keys, 0);
end
$$;

-- The second form of lists, with folders. Of a folder that is sorted by a date, it is that of its oldest object.
create or replace function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
) returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  wanted constant integer := least(coalesce(limits, 100), 1500);
  is_ascending constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
  by_update constant boolean := lower(coalesce(sort_column, 'name')) = 'updated_at';
  start constant text := coalesce(prefix, '');
  key_from constant integer := length(start) - position('/' in reverse(start) || '/') + 2;
  after_date constant timestamptz := coalesce(nullif(sort_column_after, ''), '1970-01-01T00:00:00Z')::timestamptz;
begin
  if lower(coalesce(sort_column, 'name')) not in ('updated_at', 'created_at') then
    return query
      select substr(l.name, key_from), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
        from storage.list_objects_with_delimiter(
          bucket_name, start, '/', wanted, coalesce(start_after, ''), '', case when is_ascending then 'asc' else 'desc' end
        ) as l;
    return;
  end if;
  return query
    -- Read once for files and once for folders: nothing of it is kept.
    with below as not materialized (
      select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata,
          position('/' in substr(o.name, length(start) + 1)) as slash
        from storage.objects as o
        where o.bucket_id = bucket_name and o.name collate "C" >= start and o.name collate "C" < start || chr(1114111)
    ), listed as (
      select b.name, b.id, b.updated_at, b.created_at, b.last_accessed_at, b.metadata, b.name as place
        from below as b where b.slash = 0
      union all
      select left(b.name, length(start) + b.slash - 1), null, min(b.created_at), min(b.created_at), null, null,
          left(b.name, length(start) + b.slash)
        from below as b where b.slash > 0
        group by left(b.name, length(start) + b.slash - 1), left(b.name, length(start) + b.slash)
    ), dated as (
      select l.*, coalesce(
          date_trunc('milliseconds', case when by_update then l.updated_at else l.created_at end), 'epoch'::timestamptz
        ) as sorted_by
        from listed as l
    )
    select substr(d.name, key_from), d.name, d.id, d.updated_at, d.created_at, d.last_accessed_at, d.metadata
      from dated as d
      where coalesce(start_after, '') = ''
        or is_ascending and (d.sorted_by, d.place collate "C") > (after_date, start_after)
        or not is_ascending and (d.sorted_by, d.place collate "C") < (after_date, start_after)
      order by
        case when is_ascending then d.sorted_by end, case when is_ascending then d.place end collate "C",
        d.sorted_by desc, d.place collate "C" desc
      limit wanted;
end
$$;

-- Uploads in parts that are under way: those whose key has the delimiter behind the prefix are gathered as one.
create or replace function storage.list_multipart_uploads_with_delimiter(
  bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  next_key_token text default '', next_upload_token text default ''
) returns table (key text, id text, created_at timestamptz)
language sql stable
as $$
  with uploads as (
    select u.id, u.created_at,
        case when position(delimiter_param in substr(u.key, length(prefix_param) + 1)) > 0
          then left(u.key, length(prefix_param) + position(delimiter_param in substr(u.key, length(prefix_param) + 1)) - 1
            + length(delimiter_param))
          else u.key
        end collate "C" as key
      from storage.s3_multipart_uploads as u
      where u.bucket_id = list_multipart_uploads_with_delimiter.bucket_id and starts_with(u.key, prefix_param)
  )
  select distinct on (u.key) u.key, u.id, u.created_at
    from uploads as u
    where (next_key_token = '' or next_upload_token <> '' or u.key > next_key_token)
      and (next_upload_token = '' or (u.key, u.id) > (next_key_token, next_upload_token))
    order by u.key, u.created_at
    limit max_keys
$$;

reset role;
