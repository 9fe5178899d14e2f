/** Checks policies for a write in advance: the write is executed and rolled back. */
import type { Statement } from '@greenroom/postgres';
import pg from 'pg';
import { requireBucket, requireRow } from '../buckets/read.ts';
import { type BucketRow, selectBucket } from '../buckets/rows.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import { type AccessContext, impersonate, preparedFor } from '../scope.ts';
import { insertObject, type NewObject, upsertObject } from './rows.ts';

/** Version of the row that is rolled back. Policies can read it. */
const ATTEMPTED_VERSION = '1';

/** The row that a write would create. */
type AttemptedObject = Omit<NewObject, 'version'>;

/**
 * Checks whether policies permit a write. Throws AccessDenied, and KeyAlreadyExists if the key exists and the write is
 * not an upsert.
 */
export async function requireMayWrite(
  { database }: Pick<Context, 'database'>,
  access: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Promise<void> {
  const statements = attemptWrite(access, attempted, isUpsert);
  await database.transaction((tx) => tx.rollback(statements)).catch(keyExists);
}

/**
 * Checks a write as {@link requireMayWrite} does, and returns its bucket in the same round trip. Throws
 * RelatedResourceNotFound if there is no such bucket.
 */
export async function targetBucket(
  { database }: Pick<Context, 'database'>,
  access: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Promise<BucketRow> {
  const statements = [selectBucket(attempted.bucket), ...attemptWrite(access, attempted, isUpsert)];
  const [found = []] = await database.transaction((tx) => tx.rollback(statements)).catch(keyExists);
  return requireRow(found as unknown as BucketRow[]);
}

/**
 * Returns the bucket regardless of the caller, and evaluates policies for a write to it in the same round trip. Errors
 * of the bucket take precedence over errors of policies, so the latter are thrown by the returned function. Throws
 * NoSuchBucket.
 */
export async function bucketForWrite(
  context: Pick<Context, 'database'>,
  access: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Promise<{ bucket: BucketRow; requireMayWrite: () => void }> {
  const statements = [selectBucket(attempted.bucket), ...attemptWrite(access, attempted, isUpsert)];
  try {
    const [found = []] = await context.database.transaction((tx) => tx.rollback(statements));
    return { bucket: requireRow(found as unknown as BucketRow[]), requireMayWrite: () => {} };
  } catch (refusal) {
    if (!(refusal instanceof pg.DatabaseError)) throw refusal;
    return {
      bucket: await requireBucket(context, attempted.bucket),
      requireMayWrite: () => keyExists(refusal),
    };
  }
}

function attemptWrite(
  { caller, request }: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Statement[] {
  const row = { ...attempted, version: ATTEMPTED_VERSION };
  const write = isUpsert ? upsertObject(row) : insertObject(row);
  return [impersonate(caller, request), preparedFor(caller, write)];
}

/** Maps a violation of the unique index to KeyAlreadyExists. */
function keyExists(error: unknown): never {
  const refusal = toStorageError(error);
  throw refusal.code === 'ResourceAlreadyExists' ? failure('KeyAlreadyExists') : refusal;
}
