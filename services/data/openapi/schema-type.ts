/** Types of PostgreSQL → types of Swagger. */
import type { Schema, SwaggerType } from './swagger.ts';

/** Undefined: any JSON. Everything that is not here is a text. */
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

/** Swagger has names of its own for these. */
const FORMATS = new Map([
  ['smallint', 'int32'],
  ['integer', 'int32'],
  ['bigint', 'int64'],
]);

/** The type, without modifier, as `format_type` writes it. */
export function swaggerType(type: string): SwaggerType | undefined {
  if (type.endsWith('[]')) return 'array';
  return TYPES.has(type) ? TYPES.get(type) : 'string';
}

/** The type that generators of code go by. */
export function swaggerFormat(type: string): string {
  return FORMATS.get(type) ?? type;
}

/** The type of the items of an array. */
export function itemType(type: string): string {
  return type.replace(/\[\]$/, '');
}

/** The shape of a value in JSON. */
export function schemaOfType(type: string): Schema {
  const mapped = swaggerType(type);
  const item = swaggerType(itemType(type));
  return {
    ...(mapped !== undefined && { type: mapped }),
    format: swaggerFormat(type),
    ...(mapped === 'array' && { items: item === undefined ? {} : { type: item } }),
  };
}
