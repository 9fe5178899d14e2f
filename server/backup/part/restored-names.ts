/** Names of restored schemas, tables and buckets. */

/** Limit of PostgreSQL. */
const MAX_IDENTIFIER_BYTES = 63;
/** Limit of names of buckets, which are ASCII. */
const MAX_BUCKET_CHARACTERS = 100;

/** Returns e.g. `20261127t101500z` for an ISO 8601 time in UTC. */
function timeSuffix(time: string): string {
  return time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '').toLowerCase();
}

/** Returns the schema for tables of a time, e.g. `restored_20261127t101500z`. */
export function restoredSchema(time: string): string {
  return `restored_${timeSuffix(time)}`;
}

/** Returns the bucket for objects of a bucket and a time, e.g. `files-restored-20261127t101500z`. */
export function restoredBucket(bucket: string, time: string): string {
  const ending = `-restored-${timeSuffix(time)}`;
  return bucket.slice(0, MAX_BUCKET_CHARACTERS - ending.length) + ending;
}

/** Yields the name, and then the name with the numbers from 2 on, within the length that PostgreSQL keeps. */
export function* numberedNames(name: string): Generator<string> {
  yield name;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    yield cut(name, MAX_IDENTIFIER_BYTES - ending.length) + ending;
  }
}

/** Returns the longest part that has at most so many bytes and ends with a whole character. */
function cut(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}
