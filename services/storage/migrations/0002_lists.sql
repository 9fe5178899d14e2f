-- Lists of objects as folders show them. They run as their caller, so that policies hold, and read from an index only
-- what they tell: of a folder, however much is in it, a few entries, and then the index is entered anew behind it.

set local role supabase_storage_admin;

-- What is in a folder, in the order of names in lower case, which is how the first form of lists orders and looks for
-- names. `full_prefix` is the folder and the beginning of the names in it; names are told from `told_from` on. No `wanted`
-- is all.
create function storage.list_children(
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
  -- So many entries of a folder are passed over one by one.
  patience constant integer := 8;
  portion constant integer := 1000;
  start text := lower(full_prefix);
  lower_bound text := lower(full_prefix);
  upper_bound text := lower(full_prefix) || behind;
  entries refcursor;
  entry record;
  slash integer;
  folder text;
  last_folder text;
  passed integer := 0;
  seen integer;
  to_skip bigint := skipped;
  left_over bigint := wanted;
begin
  while left_over is null or left_over > 0 loop
    if is_ascending then
      open entries no scroll for
        select o.name, o.name_lower, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
          from storage.objects as o
          where o.bucket_id = bucket and o.name_lower collate "C" >= lower_bound and o.name_lower collate "C" < upper_bound
          order by o.name_lower collate "C" limit 1000;
    else
      open entries no scroll for
        select o.name, o.name_lower, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
          from storage.objects as o
          where o.bucket_id = bucket and o.name_lower collate "C" >= lower_bound and o.name_lower collate "C" < upper_bound
          order by o.name_lower collate "C" desc limit 1000;
    end if;
    seen := 0;
    loop
      fetch entries into entry;
      exit when not found;
      seen := seen + 1;
      slash := position('/' in substr(entry.name_lower, length(start) + 1));
      folder := case when slash > 0 then left(entry.name_lower, length(start) + slash) end;
      if is_ascending then
        lower_bound := coalesce(folder || behind, entry.name_lower || next_one);
      else
        upper_bound := coalesce(folder, entry.name_lower);
      end if;
      if folder = last_folder then
        passed := passed + 1;
        -- As if the portion were used up: the next one begins behind the folder.
        if passed >= patience then
          seen := portion;
          exit;
        end if;
        continue;
      end if;
      last_folder := folder;
      passed := 0;
      if to_skip > 0 then
        to_skip := to_skip - 1;
        continue;
      end if;
      if folder is null then
        name := substr(entry.name, told_from);
        id := entry.id;
        updated_at := entry.updated_at;
        created_at := entry.created_at;
        last_accessed_at := entry.last_accessed_at;
        metadata := entry.metadata;
      else
        name := substr(left(entry.name, length(start) + slash - 1), told_from);
        id := null;
        updated_at := null;
        created_at := null;
        last_accessed_at := null;
        metadata := null;
      end if;
      return next;
      left_over := left_over - 1;
      exit when left_over = 0;
    end loop;
    close entries;
    exit when seen < portion;
  end loop;
end
$$;

-- The first form of lists. `levels` is there for those who call it as the hosted service has it; nothing depends on it.
create function storage.search(
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
  wanted constant integer := least(coalesce(limits, 100), 1500);
  is_ascending constant boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
  sort_column constant text := lower(coalesce(sortcolumn, 'name'));
begin
  if sort_column not in ('updated_at', 'created_at', 'last_accessed_at') then
    return query select * from storage.list_children(bucketname, full_prefix, told_from, wanted, offsets, is_ascending);
    return;
  end if;
  -- Folders have no dates, and come first.
  return query
    select c.name, c.id, c.updated_at, c.created_at, c.last_accessed_at, c.metadata
      from (
        select child.*, row_number() over () as place,
            case sort_column
              when 'updated_at' then child.updated_at
              when 'created_at' then child.created_at
              else child.last_accessed_at
            end as sorted_by
          from storage.list_children(bucketname, full_prefix, told_from, null, 0, is_ascending) as child
      ) as c
      order by c.id is not null,
        case when c.id is not null and is_ascending then c.sorted_by end,
        case when c.id is not null and not is_ascending then c.sorted_by end desc,
        c.place
      limit wanted offset offsets;
end
$$;

-- Names in the order of bytes, those that have the delimiter behind the prefix gathered as one, which is told without its
-- delimiter. What comes is behind `start_after`, or `next_token`, where a gathered name counts with its delimiter.
create function storage.list_objects_with_delimiter(
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
  patience constant integer := 8;
  portion constant integer := 1000;
  prefix constant text := coalesce(prefix_param, '');
  is_ascending constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
  after constant text := coalesce(nullif(next_token, ''), start_after, '');
  lower_bound text := prefix;
  upper_bound text := prefix || behind;
  entries refcursor;
  entry record;
  place integer;
  folder text;
  last_folder text;
  passed integer := 0;
  seen integer;
  left_over integer := max_keys;
begin
  if after <> '' and is_ascending then
    place := case when starts_with(after, prefix) then position(delimiter_param in substr(after, length(prefix) + 1)) else 0 end;
    lower_bound := greatest(
      lower_bound collate "C",
      case when place > 0 then left(after, length(prefix) + place - 1 + length(delimiter_param)) || behind else after || next_one end
    );
  elsif after <> '' then
    upper_bound := least(upper_bound collate "C", after);
  end if;
  while left_over > 0 loop
    if is_ascending then
      open entries no scroll for
        select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at
          from storage.objects as o
          where o.bucket_id = _bucket_id and o.name collate "C" >= lower_bound and o.name collate "C" < upper_bound
          order by o.name collate "C" limit 1000;
    else
      open entries no scroll for
        select o.name, o.id, o.metadata, o.updated_at, o.created_at, o.last_accessed_at
          from storage.objects as o
          where o.bucket_id = _bucket_id and o.name collate "C" >= lower_bound and o.name collate "C" < upper_bound
          order by o.name collate "C" desc limit 1000;
    end if;
    seen := 0;
    loop
      fetch entries into entry;
      exit when not found;
      seen := seen + 1;
      place := position(delimiter_param in substr(entry.name, length(prefix) + 1));
      folder := case when place > 0 then left(entry.name, length(prefix) + place - 1 + length(delimiter_param)) end;
      if is_ascending then
        lower_bound := coalesce(folder || behind, entry.name || next_one);
      else
        upper_bound := coalesce(folder, entry.name);
      end if;
      if folder = last_folder then
        passed := passed + 1;
        if passed >= patience then
          seen := portion;
          exit;
        end if;
        continue;
      end if;
      last_folder := folder;
      passed := 0;
      if folder is null then
        name := entry.name;
        id := entry.id;
        metadata := entry.metadata;
        updated_at := entry.updated_at;
        created_at := entry.created_at;
        last_accessed_at := entry.last_accessed_at;
      else
        name := left(folder, -length(delimiter_param));
        id := null;
        metadata := null;
        updated_at := null;
        created_at := null;
        last_accessed_at := null;
      end if;
      return next;
      left_over := left_over - 1;
      exit when left_over = 0;
    end loop;
    close entries;
    exit when seen < portion;
  end loop;
end
$$;

-- The second form of lists, with folders. Of a folder that is sorted by a date, it is that of its oldest object.
create function storage.search_v2(
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
    with below as (
      select o.*, position('/' in substr(o.name, length(start) + 1)) as slash
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
create function storage.list_multipart_uploads_with_delimiter(
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
