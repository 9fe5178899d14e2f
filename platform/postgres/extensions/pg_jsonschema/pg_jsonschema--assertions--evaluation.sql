-- The parts of an instance that schemas have evaluated (JSON Schema Core, section 11). Only schemas with
-- `unevaluatedProperties` or `unevaluatedItems` need them, so they are not collected during the validation.

-- Returns the schemas to which the references of a schema lead, with the context there.
create function _pg_jsonschema.references_of(schema jsonb, context jsonb) returns table (target jsonb, target_context jsonb)
language sql immutable strict parallel safe
as $$
  select target, found.context from _pg_jsonschema.resolve(schema ->> '$ref', context) as found where schema ? '$ref'
  union all
  select target, found.context from _pg_jsonschema.resolve_dynamic(schema ->> '$dynamicRef', false, context) as found
  where schema ? '$dynamicRef' and context -> 'draft' = '2020'
  union all
  select target, found.context from _pg_jsonschema.resolve_dynamic(schema ->> '$recursiveRef', true, context) as found
  where schema ? '$recursiveRef' and context -> 'draft' = '2019'
$$;

create function _pg_jsonschema.is_valid(schema jsonb, instance jsonb, context jsonb) returns boolean
language plpgsql immutable strict parallel safe
as $$
begin
  return _pg_jsonschema.errors(schema, instance, context - 'all') = '{}';
end
$$;

-- Returns the schemas that `if`, `dependentSchemas` and `dependencies` select for an instance.
create function _pg_jsonschema.selected_schemas(schema jsonb, instance jsonb, context jsonb) returns setof jsonb
language sql immutable strict parallel safe
as $$
  select branch
  from (
    select schema -> case when _pg_jsonschema.is_valid(schema -> 'if', instance, context) then 'then' else 'else' end
  ) as selected (branch)
  where schema ? 'if' and (context -> 'draft')::int >= 7 and branch is not null
  union all
  select dependent.value
  from jsonb_each(coalesce(schema -> 'dependentSchemas', '{}') || coalesce(schema -> 'dependencies', '{}')) as dependent
  where jsonb_typeof(instance) = 'object' and instance ? dependent.key and jsonb_typeof(dependent.value) <> 'array'
$$;

-- Returns the schemas that apply to the same instance and validate it, with their contexts.
create function _pg_jsonschema.effective_schemas(schema jsonb, instance jsonb, context jsonb)
returns table (part jsonb, part_context jsonb)
language sql immutable strict parallel safe
as $$
  select part, _pg_jsonschema.enter(part, origin)
  from (
    select target, target_context from _pg_jsonschema.references_of(schema, context)
    union all
    select value, context
    from jsonb_array_elements(
      coalesce(schema -> 'allOf', '[]') || coalesce(schema -> 'anyOf', '[]') || coalesce(schema -> 'oneOf', '[]')
    )
    union all
    select schema -> 'if', context where schema ? 'if'
    union all
    select selected, context from _pg_jsonschema.selected_schemas(schema, instance, context) as selected
  ) as candidate (part, origin)
  where jsonb_typeof(part) = 'object' and _pg_jsonschema.is_valid(part, instance, origin)
$$;

-- Returns the properties that `properties` or `patternProperties` of a schema apply to.
create function _pg_jsonschema.known_properties(schema jsonb, instance jsonb) returns setof text
language sql immutable strict parallel safe
as $$
  select name
  from jsonb_object_keys(instance) as name
  where coalesce(schema -> 'properties', '{}') ? name
    or exists (
      select from jsonb_object_keys(coalesce(schema -> 'patternProperties', '{}')) as pattern
      where _pg_jsonschema.matches_pattern(name, pattern)
    )
$$;

create function _pg_jsonschema.evaluated_properties(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
begin
  if schema ?| '{additionalProperties,unevaluatedProperties}' then
    return array(select jsonb_object_keys(instance));
  end if;
  return array(
    select _pg_jsonschema.known_properties(schema, instance)
    union all
    select unnest(_pg_jsonschema.evaluated_properties(part, instance, part_context))
    from _pg_jsonschema.effective_schemas(schema, instance, context)
  );
end
$$;

-- Returns the number of items to which `prefixItems`, or `items` with an array, apply.
create function _pg_jsonschema.prefix_length(schema jsonb, draft int) returns int
language sql immutable strict parallel safe
as $$
  select case jsonb_typeof(prefix) when 'array' then jsonb_array_length(prefix) else 0 end
  from (select schema -> case when draft = 2020 then 'prefixItems' else 'items' end) as keyword (prefix)
$$;

-- Returns the schema of the items after the prefix; null if there is none.
create function _pg_jsonschema.rest_of_items(schema jsonb, draft int) returns jsonb
language sql immutable strict parallel safe
as $$
  select schema -> case when draft < 2020 and jsonb_typeof(schema -> 'items') = 'array' then 'additionalItems' else 'items' end
$$;

-- Returns the places of evaluated items, from 1. `contains` counts from draft 2020-12 on.
create function _pg_jsonschema.evaluated_items(schema jsonb, instance jsonb, context jsonb) returns bigint[]
language plpgsql immutable strict parallel safe
as $$
declare
  draft constant int := context -> 'draft';
begin
  if schema ? 'unevaluatedItems' or _pg_jsonschema.rest_of_items(schema, draft) is not null then
    return array(select generate_series(1, jsonb_array_length(instance)));
  end if;
  return array(
    select generate_series(1, _pg_jsonschema.prefix_length(schema, draft))
    union all
    select position
    from jsonb_array_elements(instance) with ordinality as item (value, position)
    where draft = 2020 and schema ? 'contains' and _pg_jsonschema.is_valid(schema -> 'contains', value, context)
    union all
    select unnest(_pg_jsonschema.evaluated_items(part, instance, part_context))
    from _pg_jsonschema.effective_schemas(schema, instance, context)
  );
end
$$;

-- Returns the errors of properties or items that no other keyword applies to. `remaining` has their values by name or place.
create function _pg_jsonschema.remaining_errors(kind text, remaining jsonb, schema jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
begin
  if remaining = '{}' or schema = 'true' then
    return '{}';
  end if;
  if schema <> 'false' then
    return array(select unnest(_pg_jsonschema.errors(schema, rest.value, context)) from jsonb_each(remaining) as rest);
  end if;
  return array(
    select format(
      '%s are not allowed (%s %s unexpected)', kind, string_agg(label, ', ' order by label),
      case count(*) when 1 then 'was' else 'were' end
    )
    from jsonb_each(remaining) as rest,
      lateral (
        select case when kind like '%properties' then format($q$'%s'$q$, rest.key) else _pg_jsonschema.shown(rest.value) end
      ) as shown (label)
  );
end
$$;

create function _pg_jsonschema.unevaluated_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  places bigint[];
  remaining jsonb;
begin
  if jsonb_typeof(instance) = 'object' and schema ? 'unevaluatedProperties' then
    remaining := instance - _pg_jsonschema.evaluated_properties(schema - 'unevaluatedProperties', instance, context);
    return _pg_jsonschema.remaining_errors('Unevaluated properties', remaining, schema -> 'unevaluatedProperties', context);
  elsif jsonb_typeof(instance) = 'array' and schema ? 'unevaluatedItems' then
    places := _pg_jsonschema.evaluated_items(schema - 'unevaluatedItems', instance, context);
    select coalesce(jsonb_object_agg(position, value), '{}') into remaining
    from jsonb_array_elements(instance) with ordinality as item (value, position)
    where position <> all (places);
    return _pg_jsonschema.remaining_errors('Unevaluated items', remaining, schema -> 'unevaluatedItems', context);
  end if;
  return '{}';
end
$$;
