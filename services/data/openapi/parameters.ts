/** The parameters of the OpenAPI document that the operations of all relations share. */
import type { Parameter } from './swagger.ts';

/** Parameters by their names in the document. The names equal PostgREST's, because clients use them. */
export const SHARED_PARAMETERS: readonly (readonly [string, Parameter])[] = [
  ['preferParams', prefer()],
  ['preferReturn', prefer(returns())],
  ['preferCount', prefer(['count=none', 'count=exact', 'count=planned', 'count=estimated'])],
  ['preferPost', prefer([...returns(), 'resolution=ignore-duplicates', 'resolution=merge-duplicates'])],
  ['select', query('select', 'Filtering Columns')],
  ['on_conflict', query('on_conflict', 'On Conflict')],
  ['order', query('order', 'Ordering')],
  ['range', header('Range')],
  ['rangeUnit', { ...header('Range-Unit'), default: 'items' }],
  ['offset', query('offset', 'Limiting and Pagination')],
  ['limit', query('limit', 'Limiting and Pagination')],
];

function returns(): string[] {
  // Generated clients use `none` for `return=minimal` and for no count.
  return ['return=representation', 'return=minimal', 'return=headers-only', 'return=none'];
}

function prefer(values?: readonly string[]): Parameter {
  return {
    name: 'Prefer',
    description: 'Preference',
    required: false,
    in: 'header',
    type: 'string',
    ...(values && { enum: values }),
  };
}

function query(name: string, description: string): Parameter {
  return { name, description, required: false, in: 'query', type: 'string' };
}

function header(name: string) {
  const description = 'Limiting and Pagination';
  return { name, description, required: false, in: 'header', type: 'string' } as const;
}
