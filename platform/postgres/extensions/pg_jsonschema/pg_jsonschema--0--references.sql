-- References of JSON schemas (JSON Schema Core, sections 8 and 9): drafts, URIs, embedded resources and anchors.
--
-- The validation of an instance has a context, a JSON object with these members:
--
--   draft      4, 6, 7, 2019 or 2020
--   root       the schema resource that contains the current schema
--   base       its URI
--   scope      the URIs of the resources that were entered, the outermost first
--   resources  see index_resources; missing if the schema refers to nothing by URI or anchor
--   all        whether all errors are collected instead of the first one; missing if not

-- Returns the draft whose specification has a URI; null for other URIs.
create function _pg_jsonschema.draft_at(uri text) returns int
language sql immutable strict parallel safe
as $$
  select case regexp_replace(uri, '^https?://|#$', '', 'g')
    when 'json-schema.org/draft/2020-12/schema' then 2020
    when 'json-schema.org/draft/2019-09/schema' then 2019
    when 'json-schema.org/draft-07/schema' then 7
    when 'json-schema.org/draft-06/schema' then 6
    when 'json-schema.org/draft-04/schema' then 4
  end
$$;

-- Returns the draft of a schema; 2020-12 is the default.
create function _pg_jsonschema.draft_of(schema jsonb) returns int
language plpgsql immutable strict parallel safe
as $$
declare
  draft int := 2020;
begin
  if jsonb_typeof(schema) = 'object' and schema ? '$schema' then
    draft := _pg_jsonschema.draft_at(schema ->> '$schema');
    if draft is null then
      raise exception using
        errcode = 'invalid_parameter_value',
        message = format('unknown JSON schema specification: %s', schema ->> '$schema'),
        hint = 'Drafts 4, 6, 7, 2019-09 and 2020-12 are supported.';
    end if;
  end if;
  return draft;
end
$$;

-- RFC 3986, section 5.2.4.
create function _pg_jsonschema.without_dots(path text) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  segment text;
  kept text[] := '{}';
  is_folder boolean;
begin
  foreach segment in array string_to_array(path, '/') loop
    is_folder := segment in ('.', '..');
    if segment = '..' then
      kept := kept[1:greatest(cardinality(kept) - 1, 1)];
    elsif segment <> '.' then
      kept := kept || segment;
    end if;
  end loop;
  return array_to_string(kept, '/') || case when is_folder then '/' else '' end;
end
$$;

-- Returns the absolute URI of a reference without its fragment (RFC 3986, section 5.2).
create function _pg_jsonschema.resolve_uri(base text, reference text) returns text
language sql immutable strict parallel safe
as $$
  select case
    when target[1] is not null then split_part(reference, '#', 1)
    when target[2] is not null then concat(origin[1], split_part(reference, '#', 1))
    when target[3] = '' then coalesce(split_part(base, '#', 1) || target[4], split_part(base, '#', 1))
    when target[3] like '/%' then concat(origin[1], origin[2], _pg_jsonschema.without_dots(target[3]), target[4])
    else concat(
      origin[1], origin[2], _pg_jsonschema.without_dots(regexp_replace(origin[3], '[^/]*$', '') || target[3]), target[4]
    )
  end
  from (
    select
      regexp_match(base, '^([^:/?#]+:)?(//[^/?#]*)?([^?#]*)'),
      regexp_match(reference, '^([^:/?#]+:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?')
  ) as parts (origin, target)
$$;

-- Returns the identifier of a schema; null if it has none.
create function _pg_jsonschema.id_of(schema jsonb, draft int) returns text
language sql immutable strict parallel safe
as $$
  select case
    when jsonb_typeof(schema) <> 'object' or draft <= 7 and schema ? '$ref' then null
    when jsonb_typeof(schema -> key) = 'string' then schema ->> key
  end
  from (select case when draft = 4 then 'id' else '$id' end) as name (key)
$$;

-- Returns the schemas that are direct parts of a schema.
create function _pg_jsonschema.subschemas(schema jsonb) returns setof jsonb
language sql immutable strict parallel safe
as $$
  select part.value
  from jsonb_each(case when jsonb_typeof(schema) = 'object' then schema else '{}' end) as keyword,
    lateral (
      select keyword.value
      where keyword.key in (
        'additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames',
        'then', 'unevaluatedItems', 'unevaluatedProperties'
      )
      union all
      select value
      from jsonb_array_elements(case when jsonb_typeof(keyword.value) = 'array' then keyword.value else '[]' end)
      where keyword.key in ('allOf', 'anyOf', 'items', 'oneOf', 'prefixItems')
      union all
      select value
      from jsonb_each(case when jsonb_typeof(keyword.value) = 'object' then keyword.value else '{}' end)
      where keyword.key in ('$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties')
    ) as part
  where jsonb_typeof(part.value) = 'object'
$$;

-- Returns the schemas that have a URI: resources by their URI, anchors by URI#name. Members of `dynamic` are the URIs of anchors
-- that `$dynamicRef` may replace.
create function _pg_jsonschema.index_resources(root jsonb, base text, draft int) returns jsonb
language sql immutable strict parallel safe
as $$
  with recursive node (base, id, schema) as (
    select base, '', root
    union all
    select coalesce(_pg_jsonschema.resolve_uri(node.base, child_id), node.base), coalesce(child_id, '#'), child
    from node,
      lateral _pg_jsonschema.subschemas(node.schema) as child,
      lateral _pg_jsonschema.id_of(child, draft) as child_id
  ),
  anchor (uri, schema, is_dynamic) as (
    select base || '#' || (schema ->> '$anchor'), schema, false from node where draft >= 2019
    union all
    select base || '#' || (schema ->> '$dynamicAnchor'), schema, true from node where draft = 2020
    union all
    select base || '#' || split_part(id, '#', 2), schema, false from node where draft < 2019 and id like '%#_%'
  )
  select jsonb_object_agg(uri, schema) || jsonb_build_object('dynamic', jsonb_object_agg(uri, true) filter (where is_dynamic))
  from (
    select base, schema, false from node where id = '' or split_part(id, '#', 1) <> ''
    union all
    select uri, schema, is_dynamic from anchor where uri is not null
  ) as entry (uri, schema, is_dynamic)
$$;

-- Returns the context of a new validation. `source` is the text of the schema.
create function _pg_jsonschema.context_of(schema jsonb, source text) returns jsonb
language plpgsql immutable strict parallel safe
as $$
declare
  draft constant int := _pg_jsonschema.draft_of(schema);
  base text := 'json-schema:///';
begin
  if source not like '%ef"%' then
    return jsonb_build_object('draft', draft);
  end if;
  base := coalesce(_pg_jsonschema.resolve_uri(base, _pg_jsonschema.id_of(schema, draft)), base);
  return jsonb_build_object('draft', draft, 'root', schema, 'base', base, 'scope', jsonb_build_array(base))
    || case when source ~ '"(\$id|\$anchor|\$dynamicAnchor)"' or draft = 4 and source like '%"id"%'
      then jsonb_build_object('resources', _pg_jsonschema.index_resources(schema, base, draft))
      else '{}'
    end;
end
$$;

-- Returns the context inside of a schema, which is another one if the schema has an identifier. A reference to a resource has
-- entered it already.
create function _pg_jsonschema.enter(schema jsonb, context jsonb) returns jsonb
language plpgsql immutable strict parallel safe
as $$
declare
  id text;
begin
  if not context ? 'resources' then
    return context;
  end if;
  id := _pg_jsonschema.id_of(schema, (context ->> 'draft')::int);
  if id is null or id like '#%' or schema = context -> 'root' then
    return context;
  end if;
  return _pg_jsonschema.in_resource(schema, _pg_jsonschema.resolve_uri(context ->> 'base', id), context);
end
$$;

-- Returns the context in another resource, which may be of another draft.
create function _pg_jsonschema.in_resource(root jsonb, base text, context jsonb) returns jsonb
language sql immutable strict parallel safe
as $$
  select context || jsonb_build_object('root', root, 'base', base, 'scope', (context -> 'scope') || to_jsonb(base))
    || case when jsonb_typeof(root) = 'object' and root ? '$schema'
      then jsonb_build_object('draft', _pg_jsonschema.draft_of(root))
      else '{}'
    end
$$;

-- Decodes the percent signs of a URI (RFC 3986, section 2.1).
create function _pg_jsonschema.decode_uri(value text) returns text
language sql immutable strict parallel safe
as $$
  select case when value not like '%\%%' then value else (
    select convert_from(
      string_agg(case when part ~ '^%..$' then decode(substr(part, 2), 'hex') else convert_to(part, 'utf8') end, '' order by position),
      'utf8'
    )
    from regexp_matches(value, '(%[0-9A-Fa-f]{2}|.)', 'g') with ordinality as found (parts, position),
      lateral (select parts[1]) as matched (part)
  ) end
$$;

-- Follows a JSON pointer (RFC 6901) in the resource of a context. `target` is null if there is no such schema.
create function _pg_jsonschema.follow_pointer(pointer text, inout context jsonb, out target jsonb)
language plpgsql immutable strict parallel safe
as $$
declare
  token text;
begin
  target := context -> 'root';
  foreach token in array string_to_array(substr(pointer, 2), '/') loop
    target := target #> array[replace(replace(_pg_jsonschema.decode_uri(token), '~1', '/'), '~0', '~')];
    exit when target is null;
    context := _pg_jsonschema.enter(target, context);
  end loop;
end
$$;

-- Returns the schema that a fragment names in the resource of a context, and the context there.
create function _pg_jsonschema.follow_fragment(fragment text, inout context jsonb, out target jsonb)
language plpgsql immutable strict parallel safe
as $$
declare
  found record;
begin
  if fragment = '' then
    target := context -> 'root';
  elsif fragment not like '/%' then
    target := context #> array['resources', (context ->> 'base') || '#' || _pg_jsonschema.decode_uri(fragment)];
  elsif context ? 'resources' or fragment ~ '[%~]' then
    found := _pg_jsonschema.follow_pointer(fragment, context);
    target := found.target;
    context := found.context;
  else
    target := (context -> 'root') #> string_to_array(substr(fragment, 2), '/');
  end if;
end
$$;

-- Returns the schema to which `$ref` refers, and the context there.
create function _pg_jsonschema.resolve(reference text, inout context jsonb, out target jsonb)
language plpgsql immutable strict parallel safe
as $$
declare
  uri text;
  found record;
begin
  if reference not like '#%' then
    uri := _pg_jsonschema.resolve_uri(context ->> 'base', reference);
    if uri <> context ->> 'base' then
      context := _pg_jsonschema.in_resource(
        coalesce(context #> array['resources', uri], _pg_jsonschema.meta_schema_at(uri)), uri, context
      );
    end if;
  end if;
  select * into found from _pg_jsonschema.follow_fragment(split_part(reference, '#', 2), context);
  if found.target is null then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = format('the JSON schema has no part "%s"', reference),
      detail = 'Schemas are not loaded from other places.';
  end if;
  target := found.target;
  context := found.context;
end
$$;

-- Returns the schema to which `$dynamicRef` or `$recursiveRef` refers, and the context there: the outermost resource of the
-- scope with such an anchor replaces the one that the reference names.
create function _pg_jsonschema.resolve_dynamic(reference text, is_recursive boolean, inout context jsonb, out target jsonb)
language plpgsql immutable strict parallel safe
as $$
declare
  anchor constant text := '#' || split_part(reference, '#', 2);
  outer_uri text;
  found record;
begin
  select * into found from _pg_jsonschema.resolve(reference, context);
  if is_recursive and found.target @> '{"$recursiveAnchor": true}' then
    select uri into outer_uri
    from jsonb_array_elements_text(found.context -> 'scope') with ordinality as scope (uri, position)
    where (context #> array['resources', uri]) @> '{"$recursiveAnchor": true}'
    order by position limit 1;
  elsif not is_recursive and context #> array['resources', 'dynamic'] ? ((found.context ->> 'base') || anchor) then
    select uri into outer_uri
    from jsonb_array_elements_text(found.context -> 'scope') with ordinality as scope (uri, position)
    where context #> array['resources', 'dynamic'] ? (uri || anchor)
    order by position limit 1;
  end if;
  if outer_uri is null then
    target := found.target;
    context := found.context;
    return;
  end if;
  target := context #> array['resources', case when is_recursive then outer_uri else outer_uri || anchor end];
  context := _pg_jsonschema.in_resource(context #> array['resources', outer_uri], outer_uri, context);
end
$$;
