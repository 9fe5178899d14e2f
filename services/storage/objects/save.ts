/** Creates or replaces an object's row: the last step of every upload and copy. */
import { CatalogueError } from '@greenroom/errors';
import { isConnectError, PoolTimeoutError } from '@greenroom/postgres';
import pg from 'pg';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Reservation } from '../quotas/quotas.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import {
  insertNewObject,
  lockKeys,
  type NewObject,
  type ObjectMetadata,
  type ObjectRow,
  replaceObject,
  type WrittenObject,
} from '../rows/objects.ts';
import { type AccessContext, AS_OWNER, asService } from '../scope.ts';
import type { ContentStat } from '../store/object-store.ts';
import { removeContentOfUncommitted } from '../store/remove-content.ts';

/** Input of {@link metadataOf}. */
interface ContentDescription {
  stat: ContentStat;
  mimeType: string;
  cacheControl: string;
  robotsTag?: string | undefined;
}

/** Builds the metadata that the row of written content gets. */
export function metadataOf({ stat, mimeType, cacheControl, robotsTag }: ContentDescription): ObjectMetadata {
  return {
    eTag: stat.eTag,
    size: stat.size,
    mimetype: mimeType,
    cacheControl,
    lastModified: stat.lastModified.toISOString(),
    contentLength: stat.size,
    httpStatusCode: 200,
    ...(robotsTag !== undefined && { xRobotsTag: robotsTag }),
  };
}

/** Kind of write, as in metrics. */
export type WrittenBy = 'standard' | 'copy' | 's3' | 'resumable';

/** Options of {@link saveObject} and {@link saveUpload}. */
interface SaveOptions {
  /** Headers, claims and operation that triggers see. */
  access: AccessContext;
  isUpsert: boolean;
  by: WrittenBy;
  /** Quota reservation of the content. */
  reservation: Reservation;
}

/** Part of an uploaded object's row that responses need. */
export type UploadedObject = Pick<ObjectRow, 'id' | 'bucket_id' | 'name' | 'metadata'>;

/** Result of a write: the row, undefined if its key already exists, and the version that it has replaced. */
interface SavedRow<Row> {
  saved: Row | undefined;
  replaced: string | undefined;
}

/**
 * Writes the row of content that is already on stable storage, as service_role: the caller has checked policies.
 * Removes the replaced content, or the new content if its row has certainly not been written. Throws KeyAlreadyExists.
 */
export function saveObject(context: Context, row: NewObject, options: SaveOptions): Promise<ObjectRow> {
  return completeWrite(context, row, options.by, () => writeAlone(context, row, options));
}

/**
 * Like {@link saveObject}, in the same transaction as other uploads that wait for theirs.
 *
 * @param isUnrestricted whether neither policies nor triggers of the project applied to the write when it was checked
 */
export function saveUpload(
  context: Context,
  row: NewObject,
  { isUnrestricted, ...options }: SaveOptions & { isUnrestricted: boolean },
): Promise<UploadedObject> {
  const isGroupable = isUnrestricted && options.reservation.release.length === 0;
  return completeWrite<UploadedObject>(context, row, options.by, async () => {
    const outcome = isGroupable
      ? await context.uploadGroups.write({ row, isUpsert: options.isUpsert })
      : ({ kind: 'alone' } as const);
    if (outcome.kind === 'alone') return writeAlone(context, row, options);
    if (outcome.kind === 'exists') return { saved: undefined, replaced: undefined };
    const saved = { id: outcome.id, bucket_id: row.bucket, name: row.key, metadata: row.metadata };
    return { saved, replaced: outcome.replaced };
  });
}

async function completeWrite<Row extends Pick<ObjectRow, 'metadata'>>(
  context: Context,
  row: NewObject,
  by: WrittenBy,
  write: () => Promise<SavedRow<Row>>,
): Promise<Row> {
  const { bucket, key } = row;
  context.contentCopies?.written(row);
  try {
    const { saved, replaced } = await write();
    if (saved === undefined) throw failure('KeyAlreadyExists');
    context.metrics.written.inc({ by });
    context.metrics.writtenBytes.inc({ by }, saved.metadata?.size ?? 0);
    if (replaced !== undefined) await context.removals.begin(context, { bucket, key, version: replaced });
    return saved;
  } catch (error) {
    if (isCertainlyRolledBack(error)) await removeContentOfUncommitted(context, [row]);
    throw mapLockTimeout(error);
  }
}

/** Writes the row in one flush. */
async function writeAlone(
  { database }: Context,
  row: NewObject,
  { access, isUpsert, reservation }: SaveOptions,
): Promise<SavedRow<ObjectRow>> {
  const locks = lockKeys(row);
  const results = await database.transaction((tx) =>
    tx.commit([
      ...locks,
      ...asService(access, [isUpsert ? replaceObject(row) : insertNewObject(row)]),
      ...(reservation.release.length === 0 ? [] : [AS_OWNER, ...reservation.release]),
    ]),
  );
  const [, [written] = []] = results.slice(locks.length);
  if (written === undefined) return { saved: undefined, replaced: undefined };
  const { replaced_version: replaced, ...saved } = written as unknown as WrittenObject;
  return { saved, replaced: replaced ?? undefined };
}

/**
 * Whether the transaction has certainly not been committed, because PostgreSQL rejected it or never received it. After
 * a broken connection it may have been committed; then content without a row is left to the sweep.
 */
export function isCertainlyRolledBack(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity === 'ERROR';
  return error instanceof CatalogueError || error instanceof PoolTimeoutError || isConnectError(error);
}

/** Maps a lock timeout, caused by another writer of the same key, to LockTimeout. */
export function mapLockTimeout(error: unknown): unknown {
  const refusal = toStorageError(error);
  return refusal.code === 'ResourceLocked' ? failure('LockTimeout', { cause: refusal.cause }) : refusal;
}
