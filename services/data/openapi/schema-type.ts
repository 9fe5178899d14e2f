/** Maps types of PostgreSQL to types of Swagger. */
import type { Schema, SwaggerType } from './swagger.ts';

/** Undefined stands for any JSON value. All other types are strings. */
const TYPES = new Map<string, SwaggerType | undefined>([
  ['boolean', 'boolean'],
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['double precision', 'number'],
  ['json', undefined],
  ['jsonb', undefined],
]);

/** Types for which Swagger defines a format. */
const FORMATS = new Map([
  ['smallint', 'int32'],
  ['integer', 'int32'],
  ['bigint', 'int64'],
]);

/** @param type the result of `format_type` without modifier */
export function swaggerType(type: string): SwaggerType | undefined {
  if (type.endsWith('[]')) return 'array';
  return TYPES.has(type) ? TYPES.get(type) : 'string';
}

/** Returns the format, which code generators use: Swagger's format, or the name of the type. */
export function swaggerFormat(type: string): string {
  return FORMATS.get(type) ?? type;
}

/** Returns the type of the items of an array type, and any other type unchanged. */
export function itemType(type: string): string {
  return type.replace(/\[\]$/, '');
}

/** Returns the schema of the JSON value of a type. */
export function schemaOfType(type: string): Schema {
  const mapped = swaggerType(type);
  const item = swaggerType(itemType(type));
  return {
    ...(mapped !== undefined && { type: mapped }),
    format: swaggerFormat(type),
    ...(mapped === 'array' && { items: item === undefined ? {} : { type: item } }),
  };
}
