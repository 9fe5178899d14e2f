-- Keywords that no other schema takes part in (JSON Schema Validation, section 6). Each function returns the messages of the
-- keywords that an instance violates, and an empty array if it violates none.

-- Returns JSON without spaces between its parts.
create function _pg_jsonschema.shown(value jsonb) returns text
language sql immutable strict parallel safe
as $$ select regexp_replace(value::text, '("(?:[^"\\]|\\.)*")|([:,]) ', '\1\2', 'g') $$;

create function _pg_jsonschema.is_type(name text, instance jsonb) returns boolean
language sql immutable strict parallel safe
as $$
  select name = jsonb_typeof(instance)
    or name = 'integer' and case jsonb_typeof(instance) when 'number' then trunc(instance::numeric) = instance::numeric else false end
$$;

create function _pg_jsonschema.general_errors(schema jsonb, instance jsonb) returns text[]
language sql immutable strict parallel safe
as $$
  select array_remove(array[
    case jsonb_typeof(schema -> 'type')
      when 'string' then
        case when not _pg_jsonschema.is_type(schema ->> 'type', instance) then
          format('%s is not of type %s', _pg_jsonschema.shown(instance), schema -> 'type')
        end
      when 'array' then
        case when not exists (
          select from jsonb_array_elements_text(schema -> 'type') as name where _pg_jsonschema.is_type(name, instance)
        ) then
          format(
            '%s is not of types %s', _pg_jsonschema.shown(instance),
            (select string_agg(name::text, ', ') from jsonb_array_elements(schema -> 'type') as name)
          )
        end
    end,
    case when instance <> schema -> 'const' then
      format('%s was expected', _pg_jsonschema.shown(schema -> 'const'))
    end,
    case when not exists (select from jsonb_array_elements(schema -> 'enum') as allowed where allowed = instance) and schema ? 'enum' then
      format(
        '%s is not one of %s', _pg_jsonschema.shown(instance),
        (select string_agg(_pg_jsonschema.shown(allowed), ', ') from jsonb_array_elements(schema -> 'enum') as allowed)
      )
    end
  ], null)
$$;

-- In draft 4, `exclusiveMinimum` and `exclusiveMaximum` are Boolean and change the meaning of the other two.
create function _pg_jsonschema.number_errors(schema jsonb, instance jsonb) returns text[]
language sql immutable strict parallel safe
as $$
  select array_remove(array[
    case when value < minimum then format('%s is less than the minimum of %s', value, minimum) end,
    case when value > maximum then format('%s is greater than the maximum of %s', value, maximum) end,
    case when value <= above then format('%s is less than or equal to the minimum of %s', value, above) end,
    case when value >= below then format('%s is greater than or equal to the maximum of %s', value, below) end,
    case when mod(value, nullif(factor, 0)) <> 0 then format('%s is not a multiple of %s', value, factor) end
  ], null)
  from (
    select
      instance::numeric,
      (schema ->> 'minimum')::numeric,
      (schema ->> 'maximum')::numeric,
      case schema ->> 'exclusiveMinimum'
        when 'true' then (schema ->> 'minimum')::numeric
        when 'false' then null
        else (schema ->> 'exclusiveMinimum')::numeric
      end,
      case schema ->> 'exclusiveMaximum'
        when 'true' then (schema ->> 'maximum')::numeric
        when 'false' then null
        else (schema ->> 'exclusiveMaximum')::numeric
      end,
      (schema ->> 'multipleOf')::numeric
  ) as number (value, minimum, maximum, above, below, factor)
$$;

-- From draft 2019-09 on, formats are notes and no rules.
create function _pg_jsonschema.string_errors(schema jsonb, instance jsonb, draft int) returns text[]
language sql immutable strict parallel safe
as $$
  select array_remove(array[
    case when length(value) < (schema ->> 'minLength')::numeric then
      format('%s is shorter than %s character%s', instance, schema -> 'minLength', case schema ->> 'minLength' when '1' then '' else 's' end)
    end,
    case when length(value) > (schema ->> 'maxLength')::numeric then
      format('%s is longer than %s character%s', instance, schema -> 'maxLength', case schema ->> 'maxLength' when '1' then '' else 's' end)
    end,
    case when not _pg_jsonschema.matches_pattern(value, schema ->> 'pattern') then
      format('%s does not match %s', instance, schema -> 'pattern')
    end,
    case when draft <= 7 and not _pg_jsonschema.matches_format(value, schema ->> 'format') then
      format('%s is not a %s', instance, schema -> 'format')
    end
  ], null)
  from (select instance #>> '{}') as string (value)
$$;

create function _pg_jsonschema.array_size_errors(schema jsonb, instance jsonb) returns text[]
language sql immutable strict parallel safe
as $$
  select array_remove(array[
    case when size < (schema ->> 'minItems')::numeric then
      format('%s has less than %s item%s', _pg_jsonschema.shown(instance), schema -> 'minItems', case schema ->> 'minItems' when '1' then '' else 's' end)
    end,
    case when size > (schema ->> 'maxItems')::numeric then
      format('%s has more than %s item%s', _pg_jsonschema.shown(instance), schema -> 'maxItems', case schema ->> 'maxItems' when '1' then '' else 's' end)
    end,
    case when schema -> 'uniqueItems' = 'true' and size > (select count(distinct item) from jsonb_array_elements(instance) as item) then
      format('%s has non-unique elements', _pg_jsonschema.shown(instance))
    end
  ], null)
  from (select jsonb_array_length(instance)) as counted (size)
$$;

-- Returns the names of required properties that an object lacks. Up to draft 7, `dependencies` has names or a schema.
create function _pg_jsonschema.missing_properties(schema jsonb, instance jsonb) returns setof text
language sql immutable strict parallel safe
as $$
  select name from jsonb_array_elements_text(schema -> 'required') as name where not instance ? name
  union all
  select name
  from jsonb_each((schema -> 'dependentRequired') || '{}') as dependent, jsonb_array_elements_text(dependent.value) as name
  where instance ? dependent.key and not instance ? name
  union all
  select name
  from jsonb_each((schema -> 'dependencies') || '{}') as dependent,
    jsonb_array_elements_text(case when jsonb_typeof(dependent.value) = 'array' then dependent.value else '[]' end) as name
  where instance ? dependent.key and not instance ? name
$$;

create function _pg_jsonschema.object_size_errors(schema jsonb, instance jsonb) returns text[]
language sql immutable strict parallel safe
as $$
  select array_remove(array[
    case when size < (schema ->> 'minProperties')::numeric then
      format(
        '%s has less than %s propert%s', _pg_jsonschema.shown(instance), schema -> 'minProperties',
        case schema ->> 'minProperties' when '1' then 'y' else 'ies' end
      )
    end,
    case when size > (schema ->> 'maxProperties')::numeric then
      format(
        '%s has more than %s propert%s', _pg_jsonschema.shown(instance), schema -> 'maxProperties',
        case schema ->> 'maxProperties' when '1' then 'y' else 'ies' end
      )
    end
  ], null)
  from (select count(*) from jsonb_object_keys(instance)) as counted (size)
$$;

-- The groups are tested first, because most schemas have keywords of few of them.
create function _pg_jsonschema.assertion_errors(schema jsonb, instance jsonb, context jsonb) returns text[]
language plpgsql immutable strict parallel safe
as $$
declare
  kind constant text := jsonb_typeof(instance);
  found text[] := '{}';
begin
  if schema ->> 'type' is distinct from kind and schema ? 'type' or schema ?| '{const,enum}' then
    found := _pg_jsonschema.general_errors(schema, instance);
  end if;
  if kind = 'object' then
    if schema ?| '{required,dependentRequired,dependencies}' then
      found := found || array(
        select format('%s is a required property', to_json(name)) from _pg_jsonschema.missing_properties(schema, instance) as name
      );
    end if;
    if schema ?| '{minProperties,maxProperties}' then
      found := found || _pg_jsonschema.object_size_errors(schema, instance);
    end if;
  elsif kind = 'array' then
    if schema ?| '{minItems,maxItems,uniqueItems}' then
      found := found || _pg_jsonschema.array_size_errors(schema, instance);
    end if;
  elsif kind = 'number' then
    if schema ?| '{minimum,maximum,exclusiveMinimum,exclusiveMaximum,multipleOf}' then
      found := found || _pg_jsonschema.number_errors(schema, instance);
    end if;
  elsif kind = 'string' and schema ?| '{minLength,maxLength,pattern,format}' then
    found := found || _pg_jsonschema.string_errors(schema, instance, (context ->> 'draft')::int);
  end if;
  return found;
end
$$;
