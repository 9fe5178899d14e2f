import type { z } from 'zod';
import { failure } from './errors.ts';

/** Validates a body or a query. Throws an error of the catalogue that names the first wrong field. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  const field = path.length > 0 ? `${path.join('.')}: ` : '';
  throw failure('invalid_request', { message: `The request is not valid. ${field}${message}` });
}
