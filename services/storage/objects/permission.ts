/**
 * Checks policies for a write in advance: the write is executed and rolled back, unless neither policies nor triggers of
 * the project apply to it.
 */
import type { Statement } from '@greenroom/postgres';
import pg from 'pg';
import { requireBucket, requireRow } from '../buckets/read.ts';
import { SERVICE_CALLER } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import { type BucketRow, selectBucket } from '../rows/buckets.ts';
import { insertObject, type NewObject, selectRestrictions, upsertObject } from '../rows/objects.ts';
import { type AccessContext, impersonate, preparedFor } from '../scope.ts';

/** Version of the row that is rolled back. Policies can read it. */
const ATTEMPTED_VERSION = '1';

type CheckContext = Pick<Context, 'database' | 'uploadGroups'>;

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
  const write = await readUnrestricted(database, access, attempted);
  if (write !== undefined) {
    requireFree(write, isUpsert);
    return;
  }
  const statements = attemptWrite(access, attempted, isUpsert);
  await database.transaction((tx) => tx.rollback(statements)).catch(throwKeyExists);
}

/**
 * Checks a write as {@link requireMayWrite} does, and returns its bucket in the same round trip. Throws
 * RelatedResourceNotFound if there is no such bucket.
 */
export async function targetBucket(
  context: CheckContext,
  access: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Promise<BucketRow> {
  const write = await readInGroup(context, access, attempted);
  if (write !== undefined) return requireFree(write, isUpsert);
  const statements = [selectBucket(attempted.bucket), ...attemptWrite(access, attempted, isUpsert)];
  const [found = []] = await context.database
    .transaction((tx) => tx.rollback(statements))
    .catch(throwKeyExists);
  return requireRow(found as unknown as BucketRow[]);
}

/**
 * Returns the bucket regardless of the caller, and evaluates policies for a write to it in the same round trip. Errors
 * of the bucket take precedence over errors of policies, so the latter are thrown by the returned function.
 * `isUnrestricted`: neither policies nor triggers of the project apply to the write. Throws NoSuchBucket.
 */
export async function bucketForWrite(
  context: CheckContext,
  access: AccessContext,
  attempted: AttemptedObject,
  isUpsert: boolean,
): Promise<{ bucket: BucketRow; requireMayWrite: () => void; isUnrestricted: boolean }> {
  const write = await readInGroup(context, access, attempted);
  if (write !== undefined) {
    return {
      bucket: requireRow(write.bucket === undefined ? [] : [write.bucket]),
      requireMayWrite: () => void requireFree(write, isUpsert),
      isUnrestricted: true,
    };
  }
  const statements = [selectBucket(attempted.bucket), ...attemptWrite(access, attempted, isUpsert)];
  try {
    const [found = []] = await context.database.transaction((tx) => tx.rollback(statements));
    return {
      bucket: requireRow(found as unknown as BucketRow[]),
      requireMayWrite: () => {},
      isUnrestricted: false,
    };
  } catch (refusal) {
    if (!(refusal instanceof pg.DatabaseError)) throw refusal;
    return {
      bucket: await requireBucket(context, attempted.bucket),
      requireMayWrite: () => throwKeyExists(refusal),
      isUnrestricted: false,
    };
  }
}

/** Facts about a write that neither policies nor triggers of the project can refuse. */
interface UnrestrictedWrite {
  bucket: BucketRow | undefined;
  keyExists: boolean;
}

/**
 * Like {@link readUnrestricted}, in the same round trip as other uploads. Only for callers that hold an upload slot: the
 * slots are shared fairly between clients, and groups are not.
 */
async function readInGroup(
  { database, uploadGroups }: CheckContext,
  access: AccessContext,
  attempted: AttemptedObject,
): Promise<UnrestrictedWrite | undefined> {
  if (access.caller.role !== SERVICE_CALLER.role) return undefined;
  const outcome = await uploadGroups.check(attempted);
  if (outcome.kind === 'alone') return readUnrestricted(database, access, attempted);
  return outcome.kind === 'unrestricted' ? outcome : undefined;
}

/**
 * Reads bucket and key in one round trip for service_role, which bypasses policies: a read costs a fraction of a write
 * that is rolled back. Undefined for other roles, if service_role was changed, if the project has own triggers, and if
 * PostgreSQL rejects the query.
 */
async function readUnrestricted(
  database: Context['database'],
  { caller, request }: AccessContext,
  { bucket, key }: AttemptedObject,
): Promise<UnrestrictedWrite | undefined> {
  if (caller.role !== SERVICE_CALLER.role) return undefined;
  const statements = [
    selectBucket(bucket),
    impersonate(caller, request),
    preparedFor(caller, selectRestrictions(bucket, key)),
  ];
  const [buckets = [], , [write] = []] = await database.batch(statements).catch(noRowsIfRejected);
  if (write?.is_restricted !== false) return undefined;
  return { bucket: buckets[0] as unknown as BucketRow | undefined, keyExists: write.key_exists === true };
}

/** PostgreSQL rejects e.g. keys with a NUL; then the write that is rolled back reports the error. */
function noRowsIfRejected(error: unknown): [] {
  if (error instanceof pg.DatabaseError) return [];
  throw error;
}

/** Returns the bucket. Throws the errors of a write: RelatedResourceNotFound and KeyAlreadyExists. */
function requireFree({ bucket, keyExists }: UnrestrictedWrite, isUpsert: boolean): BucketRow {
  if (bucket === undefined) throw failure('RelatedResourceNotFound');
  if (keyExists && !isUpsert) throw failure('KeyAlreadyExists');
  return bucket;
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
function throwKeyExists(error: unknown): never {
  const refusal = toStorageError(error);
  throw refusal.code === 'ResourceAlreadyExists' ? failure('KeyAlreadyExists') : refusal;
}
