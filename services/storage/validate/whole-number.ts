/** Numbers that the schemas of routes let through, though no statement can take them: `Infinity` in a query is one. */
import { failure } from '../errors.ts';

/** Throws InvalidSchema in the words of the others. */
export function requireWhole(place: string, value: number | undefined): void {
  if (value === undefined || Number.isSafeInteger(value)) return;
  throw failure('InvalidSchema', { message: `${place} must be a whole number` });
}
