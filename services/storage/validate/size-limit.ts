/** Size limits of buckets and uploads. */

import { failure } from '../errors.ts';
import type { StorageConfig } from '../settings.ts';
import { isPlaceholder } from './names.ts';

const UNITS: Readonly<Record<string, number>> = { GB: 1e9, MB: 1e6, KB: 1e3, B: 1 };
const SIZE = /^(\d+(?:\.\d+)?)(GB|MB|KB|B)$/i;
const SIGNIFICANT_DIGITS = 3;

/** Schema of a limit in bytes or with a unit, e.g. `50MB`; null means no limit. */
export const SIZE_LIMIT_SCHEMA = {
  anyOf: [
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, nullable: true },
    { type: 'string', pattern: '^[0-9]+(?:\\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$', nullable: true },
  ],
} as const;

/** Parses a bucket's limit. Returns bytes. Throws EntityTooLarge if it exceeds the instance's limit. */
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

/** Limits that apply to an object. */
interface SizeRules {
  key: string;
  /** Bytes; null: the bucket has no limit. */
  bucketLimit: number | null;
  /** Limit of the instance in bytes for this kind of upload. */
  instanceLimit: number;
}

/** Returns the most bytes that an upload may have. */
export function maxBytesOf({ key, bucketLimit, instanceLimit }: SizeRules): number {
  if (isPlaceholder(key)) return 0;
  return Math.min(bucketLimit ?? Number.POSITIVE_INFINITY, instanceLimit);
}

/** Checks the declared size before the upload; undefined means not declared. Throws EntityTooLarge. */
export function requireSize(bytes: number | undefined, maxBytes: number): void {
  if (bytes !== undefined && bytes > maxBytes) throw failure('EntityTooLarge');
}
