/** Rejects numbers that route schemas accept but SQL statements cannot use, such as `Infinity` in a query. */
import { failure } from '../errors.ts';

/** Throws InvalidSchema, worded like errors of the route schemas. */
export function requireInteger(field: string, value: number | undefined): void {
  if (value === undefined || Number.isSafeInteger(value)) return;
  throw failure('InvalidSchema', { message: `${field} must be a whole number` });
}
