-- Validates JSON against JSON schemas of drafts 4, 6, 7, 2019-09 and 2020-12. Names, parameters and messages are those of
-- pg_jsonschema 0.3.4.

-- Whether nothing but its type is required of an instance, and it has that type. It spares most properties a call.
create function _pg_jsonschema.has_only_type(schema jsonb, instance jsonb) returns boolean
language sql immutable strict parallel safe
as $$
  select case jsonb_typeof(schema)
    when 'object' then
      _pg_jsonschema.is_type(schema ->> 'type', instance)
        and schema - '{type,title,description,default,examples}'::text[] = '{}'
    else schema = 'true'
  end
$$;

-- Returns the errors of `patternProperties`, `propertyNames` and `additionalProperties`.
create function _pg_jsonschema.property_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  subschema jsonb;
  value jsonb;
  found text[] := '{}';
begin
  for subschema, value in
    select pattern.value, property.value
    from jsonb_each(schema -> 'patternProperties') as pattern, jsonb_each(instance) as property
    where _pg_jsonschema.matches_pattern(property.key, pattern.key)
    union all
    select schema -> 'propertyNames', to_jsonb(name)
    from jsonb_object_keys(instance) as name
    where schema ? 'propertyNames'
  loop
    found := found || _pg_jsonschema.errors(subschema, value, context);
    exit when found <> '{}' and not context ? 'all';
  end loop;
  if schema ? 'additionalProperties' and (found = '{}' or context ? 'all') then
    found := found || _pg_jsonschema.remaining_errors(
      'Additional properties', instance - array(select _pg_jsonschema.known_properties(schema, instance)),
      schema -> 'additionalProperties', context
    );
  end if;
  return found;
end
$$;

create function _pg_jsonschema.object_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  subschema jsonb;
  value jsonb;
  found text[] := '{}';
begin
  for subschema, value in
    select property.value, instance -> property.key
    from jsonb_each(schema -> 'properties') as property
    where instance ? property.key
      and _pg_jsonschema.has_only_type(property.value, instance -> property.key) is not true
  loop
    found := found || _pg_jsonschema.errors(subschema, value, context);
    exit when found <> '{}' and not context ? 'all';
  end loop;
  if schema ?| '{patternProperties,propertyNames,additionalProperties}' and (found = '{}' or context ? 'all') then
    found := found || _pg_jsonschema.property_errors(schema, instance, context);
  end if;
  return found;
end
$$;

-- Returns the schema that takes the place of one with `$ref`, and the context there: the target, unless other keywords apply as
-- well. Up to draft 7, `$ref` makes all others ineffective.
create function _pg_jsonschema.follow_reference(schema jsonb, context jsonb, out target jsonb, out target_context jsonb)
language plpgsql immutable strict parallel safe
as $$
declare
  found record;
begin
  target := schema;
  target_context := context;
  for step in 1..100 loop
    if not target ? '$ref' or (context -> 'draft')::int > 7 and target - '{$ref,title,description,$comment}'::text[] <> '{}' then
      return;
    end if;
    found := _pg_jsonschema.resolve(target ->> '$ref', target_context);
    target := found.target;
    target_context := _pg_jsonschema.enter(target, found.context);
  end loop;
  raise exception using
    errcode = 'invalid_parameter_value',
    message = format('the reference "%s" of the JSON schema leads to itself', schema ->> '$ref');
end
$$;

create function _pg_jsonschema.contains_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  has_limits constant boolean := (context -> 'draft')::int >= 2019;
  minimum constant numeric := coalesce(case when has_limits then (schema ->> 'minContains')::numeric end, 1);
  maximum constant numeric := case when has_limits then (schema ->> 'maxContains')::numeric end;
  matching bigint;
begin
  select count(*) into matching
  from jsonb_array_elements(instance) as item
  where _pg_jsonschema.is_valid(schema -> 'contains', item, context);
  if matching < minimum then
    return array[format('None of %s are valid under the given schema', _pg_jsonschema.shown(instance))];
  elsif matching > maximum then
    return array[format('%s has too many items that are valid under the given schema', _pg_jsonschema.shown(instance))];
  end if;
  return '{}';
end
$$;

create function _pg_jsonschema.array_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  draft constant int := context -> 'draft';
  prefix constant jsonb := schema -> case when draft = 2020 then 'prefixItems' else 'items' end;
  prefix_length constant int := _pg_jsonschema.prefix_length(schema, draft);
  rest constant jsonb := _pg_jsonschema.rest_of_items(schema, draft);
  subschema jsonb;
  value jsonb;
  remaining jsonb;
  found text[] := '{}';
begin
  if rest = 'false' then
    select coalesce(jsonb_object_agg(position, item.value), '{}') into remaining
    from jsonb_array_elements(instance) with ordinality as item (value, position)
    where position > prefix_length;
    found := _pg_jsonschema.remaining_errors('Additional items', remaining, rest, context);
  end if;
  for subschema, value in
    select applied, item.value
    from jsonb_array_elements(instance) with ordinality as item (value, position),
      lateral (
        select case when position <= prefix_length then prefix -> (position::int - 1) else nullif(rest, 'false') end
      ) as selected (applied)
    where applied is not null and _pg_jsonschema.has_only_type(applied, item.value) is not true
  loop
    exit when found <> '{}' and not context ? 'all';
    found := found || _pg_jsonschema.errors(subschema, value, context);
  end loop;
  if schema ? 'contains' and (found = '{}' or context ? 'all') then
    found := found || _pg_jsonschema.contains_errors(schema, instance, context);
  end if;
  return found;
end
$$;

create function _pg_jsonschema.choice_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  valid bigint;
  found text[] := '{}';
begin
  if schema ? 'anyOf' and not exists (
    select from jsonb_array_elements(schema -> 'anyOf') as option where _pg_jsonschema.is_valid(option, instance, context)
  ) then
    found := found || array[
      format($q$%s is not valid under any of the schemas listed in the 'anyOf' keyword$q$, _pg_jsonschema.shown(instance))
    ];
  end if;
  if schema ? 'oneOf' then
    select count(*) into valid
    from jsonb_array_elements(schema -> 'oneOf') as option
    where _pg_jsonschema.is_valid(option, instance, context);
    if valid <> 1 then
      found := found || array[
        format(
          $q$%s is %s of the schemas listed in the 'oneOf' keyword$q$, _pg_jsonschema.shown(instance),
          case valid when 0 then 'not valid under any' else 'valid under more than one' end
        )
      ];
    end if;
  end if;
  if schema ? 'not' and _pg_jsonschema.is_valid(schema -> 'not', instance, context) then
    found := found || array[
      format('%s is not allowed for %s', _pg_jsonschema.shown(schema -> 'not'), _pg_jsonschema.shown(instance))
    ];
  end if;
  return found;
end
$$;

-- Returns the errors of the schemas that apply to the same instance.
create function _pg_jsonschema.inner_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  part jsonb;
  part_context jsonb;
  found text[] := '{}';
begin
  for part, part_context in
    select value, context from jsonb_array_elements(schema -> 'allOf')
    union all
    select selected, context from _pg_jsonschema.selected_schemas(schema, instance, context) as selected
    union all
    select target, target_context from _pg_jsonschema.references_of(schema, context)
  loop
    found := found || _pg_jsonschema.errors(part, instance, part_context);
    exit when found <> '{}' and not context ? 'all';
  end loop;
  return found;
end
$$;

-- Returns the messages of the keywords that an instance violates: the first one, or all of them if the context says so. The
-- groups of keywords are tested first, because most schemas have few of them. PostgreSQL limits the depth of calls
-- (max_stack_depth), for schemas that refer to themselves.
create function _pg_jsonschema.errors(outer_schema jsonb, instance jsonb, outer_context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  kind constant text := jsonb_typeof(instance);
  schema jsonb := outer_schema;
  context jsonb := outer_context;
  followed record;
  found text[];
begin
  if context ? 'resources' then
    context := _pg_jsonschema.enter(schema, context);
  end if;
  if schema ? '$ref' then
    followed := _pg_jsonschema.follow_reference(schema, context);
    schema := followed.target;
    context := followed.target_context;
  end if;
  if jsonb_typeof(schema) = 'boolean' then
    return case
      when schema = 'true' then '{}'
      else array[format('False schema does not allow %s', _pg_jsonschema.shown(instance))]
    end;
  end if;
  found := _pg_jsonschema.assertion_errors(schema, instance, context);
  if found <> '{}' and not context ? 'all' then
    return found;
  end if;
  if kind = 'object' and schema ?| '{properties,patternProperties,additionalProperties,propertyNames}' then
    found := found || _pg_jsonschema.object_errors(schema, instance, context);
  elsif kind = 'array' and schema ?| '{items,prefixItems,contains}' then
    found := found || _pg_jsonschema.array_errors(schema, instance, context);
  end if;
  if found <> '{}' and not context ? 'all' then
    return found;
  end if;
  if schema ?| '{allOf,if,dependentSchemas,dependencies,$ref,$dynamicRef,$recursiveRef}' then
    found := found || _pg_jsonschema.inner_errors(schema, instance, context);
  end if;
  if schema ?| '{anyOf,oneOf,not}' then
    found := found || _pg_jsonschema.choice_errors(schema, instance, context);
  end if;
  if schema ?| '{unevaluatedProperties,unevaluatedItems}' and (context -> 'draft')::int >= 2019 then
    found := found || _pg_jsonschema.unevaluated_errors(schema, instance, context);
  end if;
  return found;
end
$$;

-- Returns the rules of its draft that a schema violates.
create function _pg_jsonschema.schema_errors(schema jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  rules constant jsonb := _pg_jsonschema.meta_schema(_pg_jsonschema.draft_of(schema));
begin
  return _pg_jsonschema.errors(
    rules, schema, _pg_jsonschema.in_resource(rules, 'json-schema:///', '{"scope": []}')
  );
end
$$;

-- A schema is validated itself only if an instance does not match. That keeps the check of valid rows quick.
create function _pg_jsonschema.matches(schema json, instance jsonb) returns boolean
language plpgsql immutable strict parallel safe
as $$
declare
  rules constant jsonb := schema;
  found text[];
begin
  if _pg_jsonschema.errors(rules, instance, _pg_jsonschema.context_of(rules, schema::text)) = '{}' then
    return true;
  end if;
  found := _pg_jsonschema.schema_errors(rules);
  if found <> '{}' then
    raise exception using errcode = 'invalid_parameter_value', message = 'invalid JSON schema: ' || found[1];
  end if;
  return false;
end
$$;

create function @extschema@.json_matches_schema(schema json, instance json) returns boolean
language plpgsql immutable strict parallel safe
as $$ begin return _pg_jsonschema.matches(schema, instance::jsonb); end $$;

create function @extschema@.jsonb_matches_schema(schema json, instance jsonb) returns boolean
language plpgsql immutable strict parallel safe
as $$ begin return _pg_jsonschema.matches(schema, instance); end $$;

create function @extschema@.jsonschema_is_valid(schema json) returns boolean
language plpgsql immutable strict parallel safe
as $$
declare
  rules constant jsonb := schema;
  found text[];
begin
  if jsonb_typeof(rules) = 'object' and _pg_jsonschema.draft_at(rules ->> '$schema') is null and rules ? '$schema' then
    raise notice 'Invalid JSON schema: unknown specification %', rules ->> '$schema';
    return false;
  end if;
  found := _pg_jsonschema.schema_errors(rules);
  if found <> '{}' then
    raise notice 'Invalid JSON schema: %', found[1];
  end if;
  return found = '{}';
end
$$;

create function @extschema@.jsonschema_validation_errors(schema json, instance json) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  rules constant jsonb := schema;
  found constant text[] := _pg_jsonschema.schema_errors(rules);
begin
  if found <> '{}' then
    return found[1:1];
  end if;
  return _pg_jsonschema.errors(
    rules, instance::jsonb, _pg_jsonschema.context_of(rules, schema::text) || '{"all": true}'
  );
end
$$;
