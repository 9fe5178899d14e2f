/** Sizes: limits of buckets, and what they mean for an upload. */

import { failure } from '../errors.ts';
import type { StorageConfig } from '../settings.ts';
import { isPlaceholder } from './names.ts';

const UNITS: Readonly<Record<string, number>> = { GB: 1e9, MB: 1e6, KB: 1e3, B: 1 };
const SIZE = /^(\d+(?:\.\d+)?)(GB|MB|KB|B)$/i;
const SIGNIFICANT_DIGITS = 3;

/** Schema of a limit in bytes or with a unit, e.g. `50MB`; null: none. */
export const SIZE_LIMIT_SCHEMA = {
  anyOf: [
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, nullable: true },
    { type: 'string', pattern: '^[0-9]+(?:\\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$', nullable: true },
  ],
} as const;

/** A limit in bytes. Throws EntityTooLarge where it is above that of all buckets. */
export function readSizeLimit(limit: number | string, { maxObjectBytes }: StorageConfig): number {
  const bytes = typeof limit === 'number' ? limit : bytesOf(limit);
  if (bytes > maxObjectBytes) throw failure('EntityTooLarge');
  return bytes;
}

function bytesOf(text: string): number {
  const [, number = '', unit = 'B'] = SIZE.exec(text) ?? [];
  const bytes = Number(Number(number).toPrecision(SIGNIFICANT_DIGITS)) * (UNITS[unit.toUpperCase()] ?? 1);
  return Math.floor(bytes);
}

/** Most bytes of an object. */
interface SizeRules {
  key: string;
  /** That of the bucket. */
  bucketLimit: number | null;
  /** That of the instance, for this way of uploading. */
  instanceLimit: number;
}

/** What an upload may have at most, in bytes. */
export function maxBytesOf({ key, bucketLimit, instanceLimit }: SizeRules): number {
  if (isPlaceholder(key)) return 0;
  return Math.min(bucketLimit ?? Number.POSITIVE_INFINITY, instanceLimit);
}

/** Refuses by what a client says before it sends. Undefined: it does not say. Throws EntityTooLarge. */
export function requireSize(bytes: number | undefined, maxBytes: number): void {
  if (bytes !== undefined && bytes > maxBytes) throw failure('EntityTooLarge');
}
