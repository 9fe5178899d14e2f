-- The rules that JSON schemas follow, as a JSON schema of draft 2020-12. They are those of the specifications of all drafts.

create function _pg_jsonschema.meta_schema(draft int) returns jsonb
language sql immutable strict parallel safe
as $$
  select jsonb_build_object(
    '$schema', 'https://json-schema.org/draft/2020-12/schema',
    'type', case when draft = 4 then '"object"' else '["object", "boolean"]' end::jsonb,
    '$defs', '{
      "count": {"type": "integer", "minimum": 0},
      "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
      "schemas": {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
      "schemaByName": {"type": "object", "additionalProperties": {"$ref": "#"}},
      "typeName": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}
    }'::jsonb,
    'properties', '{
      "$schema": {"type": "string"},
      "additionalProperties": {"$ref": "#"},
      "allOf": {"$ref": "#/$defs/schemas"},
      "anyOf": {"$ref": "#/$defs/schemas"},
      "definitions": {"$ref": "#/$defs/schemaByName"},
      "dependencies": {
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/names"}]}
      },
      "description": {"type": "string"},
      "enum": {"type": "array"},
      "format": {"type": "string"},
      "maxItems": {"$ref": "#/$defs/count"},
      "maxLength": {"$ref": "#/$defs/count"},
      "maxProperties": {"$ref": "#/$defs/count"},
      "maximum": {"type": "number"},
      "minItems": {"$ref": "#/$defs/count"},
      "minLength": {"$ref": "#/$defs/count"},
      "minProperties": {"$ref": "#/$defs/count"},
      "minimum": {"type": "number"},
      "multipleOf": {"type": "number", "exclusiveMinimum": 0},
      "not": {"$ref": "#"},
      "oneOf": {"$ref": "#/$defs/schemas"},
      "pattern": {"type": "string"},
      "patternProperties": {"$ref": "#/$defs/schemaByName"},
      "properties": {"$ref": "#/$defs/schemaByName"},
      "required": {"$ref": "#/$defs/names"},
      "title": {"type": "string"},
      "type": {
        "anyOf": [
          {"$ref": "#/$defs/typeName"},
          {"type": "array", "items": {"$ref": "#/$defs/typeName"}, "minItems": 1, "uniqueItems": true}
        ]
      },
      "uniqueItems": {"type": "boolean"}
    }'::jsonb
    || case when draft = 4
      then '{
        "exclusiveMaximum": {"type": "boolean"},
        "exclusiveMinimum": {"type": "boolean"},
        "id": {"type": "string"},
        "required": {"$ref": "#/$defs/names", "minItems": 1}
      }'::jsonb
      else '{
        "$id": {"type": "string"},
        "$ref": {"type": "string"},
        "contains": {"$ref": "#"},
        "examples": {"type": "array"},
        "exclusiveMaximum": {"type": "number"},
        "exclusiveMinimum": {"type": "number"},
        "propertyNames": {"$ref": "#"}
      }'::jsonb
    end
    || case when draft >= 7
      then '{
        "$comment": {"type": "string"},
        "contentEncoding": {"type": "string"},
        "contentMediaType": {"type": "string"},
        "else": {"$ref": "#"},
        "if": {"$ref": "#"},
        "readOnly": {"type": "boolean"},
        "then": {"$ref": "#"},
        "writeOnly": {"type": "boolean"}
      }'::jsonb
      else '{}'
    end
    || case when draft >= 2019
      then '{
        "$anchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
        "$defs": {"$ref": "#/$defs/schemaByName"},
        "$id": {"type": "string", "pattern": "^[^#]*#?$"},
        "$vocabulary": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "contentSchema": {"$ref": "#"},
        "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/names"}},
        "dependentSchemas": {"$ref": "#/$defs/schemaByName"},
        "deprecated": {"type": "boolean"},
        "maxContains": {"$ref": "#/$defs/count"},
        "minContains": {"$ref": "#/$defs/count"},
        "unevaluatedItems": {"$ref": "#"},
        "unevaluatedProperties": {"$ref": "#"}
      }'::jsonb
      else '{}'
    end
    || case draft
      when 2020 then '{
        "$dynamicAnchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
        "$dynamicRef": {"type": "string"},
        "items": {"$ref": "#"},
        "prefixItems": {"$ref": "#/$defs/schemas"}
      }'::jsonb
      else '{
        "additionalItems": {"$ref": "#"},
        "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/schemas"}]}
      }'::jsonb
    end
    || case draft
      when 2019 then '{"$recursiveAnchor": {"type": "boolean"}, "$recursiveRef": {"type": "string"}}'::jsonb
      when 4 then '{"additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
        "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]}}'::jsonb
      else '{}'
    end
  )
$$;

-- Returns the rules of the draft whose specification has this URI; null for other URIs.
create function _pg_jsonschema.meta_schema_at(uri text) returns jsonb
language sql immutable strict parallel safe
as $$
  select _pg_jsonschema.meta_schema(_pg_jsonschema.draft_at(uri))
$$;
