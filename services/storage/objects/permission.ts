/** What policies say about a write, before anything is written: it is tried, and taken back. */
import type { Statement } from '@greenroom/postgres';
import pg from 'pg';
import { requireBucket, requireRow } from '../buckets/read.ts';
import { type BucketRow, selectBucket } from '../buckets/rows.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { asStorageError } from '../respond/as-storage-error.ts';
import { type Asking, become, preparedFor } from '../scope.ts';
import { insertObject, type NewObject, upsertObject } from './rows.ts';

/** Of a row that is only tried. Policies see it. */
const TRIED_VERSION = '1';

/** A write that somebody would like to do. */
type TriedObject = Omit<NewObject, 'version'>;

/** Throws AccessDenied, or KeyAlreadyExists where it would overwrite without being an upsert. */
export async function requireMayWrite(
  { database }: Pick<Context, 'database'>,
  asking: Asking,
  tried: TriedObject,
  isUpsert: boolean,
): Promise<void> {
  const statements = tryWrite(asking, tried, isUpsert);
  await database.transaction((tx) => tx.rollback(statements)).catch(keyExists);
}

/**
 * The bucket of a write that {@link requireMayWrite} allows, in the same round trip. Throws RelatedResourceNotFound where
 * there is none.
 */
export async function targetBucket(
  { database }: Pick<Context, 'database'>,
  asking: Asking,
  tried: TriedObject,
  isUpsert: boolean,
): Promise<BucketRow> {
  const statements = [selectBucket(tried.bucket), ...tryWrite(asking, tried, isUpsert)];
  const [found = []] = await database.transaction((tx) => tx.rollback(statements)).catch(keyExists);
  return requireRow(found as unknown as BucketRow[]);
}

/**
 * The bucket, whoever is asking, and in the same round trip what {@link requireMayWrite} says of a write to it. What is
 * wrong about the bucket comes before what policies say, so that is thrown by a function. Throws NoSuchBucket.
 */
export async function bucketToWriteTo(
  context: Pick<Context, 'database'>,
  asking: Asking,
  tried: TriedObject,
  isUpsert: boolean,
): Promise<{ bucket: BucketRow; requireMayWrite: () => void }> {
  const statements = [selectBucket(tried.bucket), ...tryWrite(asking, tried, isUpsert)];
  try {
    const [found = []] = await context.database.transaction((tx) => tx.rollback(statements));
    return { bucket: requireRow(found as unknown as BucketRow[]), requireMayWrite: () => {} };
  } catch (refusal) {
    if (!(refusal instanceof pg.DatabaseError)) throw refusal;
    return { bucket: await requireBucket(context, tried.bucket), requireMayWrite: () => keyExists(refusal) };
  }
}

function tryWrite({ caller, request }: Asking, tried: TriedObject, isUpsert: boolean): Statement[] {
  const row = { ...tried, version: TRIED_VERSION };
  const write = isUpsert ? upsertObject(row) : insertObject(row);
  return [become(caller, request), preparedFor(caller, write)];
}

/** What a unique index says of a key that is taken. */
function keyExists(error: unknown): never {
  const refusal = asStorageError(error);
  throw refusal.code === 'ResourceAlreadyExists' ? failure('KeyAlreadyExists') : refusal;
}
