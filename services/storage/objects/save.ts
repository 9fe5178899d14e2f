/** Making content an object: the last step of every upload and copy. */
import { CatalogueError } from '@greenroom/errors';
import { isConnectError, PoolTimeoutError } from '@greenroom/postgres';
import pg from 'pg';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Room } from '../quotas/quotas.ts';
import { asStorageError } from '../respond/as-storage-error.ts';
import { AS_OWNER, type Asking, asService } from '../scope.ts';
import type { ContentFacts } from '../store/object-store.ts';
import { removeContent } from '../store/remove-content.ts';
import {
  insertNewObject,
  lockKeys,
  lockVersion,
  type NewObject,
  type ObjectMetadata,
  type ObjectRow,
  upsertObject,
} from './rows.ts';

/** What metadata is made of. */
interface ContentDescription {
  facts: ContentFacts;
  mimeType: string;
  cacheControl: string;
  robotsTag?: string | undefined;
}

/** What the row of written content says of it. */
export function metadataOf({ facts, mimeType, cacheControl, robotsTag }: ContentDescription): ObjectMetadata {
  return {
    eTag: facts.eTag,
    size: facts.size,
    mimetype: mimeType,
    cacheControl,
    lastModified: facts.lastModified.toISOString(),
    contentLength: facts.size,
    httpStatusCode: 200,
    ...(robotsTag !== undefined && { xRobotsTag: robotsTag }),
  };
}

/** How an object came. */
export type WrittenBy = 'standard' | 'copy' | 's3' | 'resumable';

/** Options of {@link saveObject}. */
interface SaveOptions {
  /** The request that writes it: triggers see it. */
  asking: Asking;
  isUpsert: boolean;
  by: WrittenBy;
  /** What its content has reserved. */
  room: Room;
}

/**
 * Writes the row of content that is on stable storage already, as service_role: policies have been asked before. Removes what it replaces, or the content itself where there can be no row of it. Throws KeyAlreadyExists.
 */
export async function saveObject(
  context: Context,
  row: NewObject,
  { asking, isUpsert, by, room }: SaveOptions,
): Promise<ObjectRow> {
  const { bucket, key } = row;
  try {
    const { saved, replaced } = await writeRow(context, row, { asking, isUpsert, room });
    if (saved === undefined) throw failure('KeyAlreadyExists');
    context.metrics.written.inc({ by });
    context.metrics.writtenBytes.inc({ by }, saved.metadata?.size ?? 0);
    if (replaced !== undefined) await context.removals.begin(context, { bucket, key, version: replaced });
    return saved;
  } catch (error) {
    if (isSurelyUndone(error)) await removeContent(context, [row]);
    throw whenLocked(error);
  }
}

/** One flush. */
async function writeRow(
  { database }: Context,
  row: NewObject,
  { asking, isUpsert, room }: Omit<SaveOptions, 'by'>,
) {
  const locks = lockKeys(row);
  const results = await database.transaction((tx) =>
    tx.commit([
      ...locks,
      ...asService(asking, [
        lockVersion(row.bucket, row.key),
        isUpsert ? upsertObject(row) : insertNewObject(row),
      ]),
      ...(room.release.length === 0 ? [] : [AS_OWNER, ...room.release]),
    ]),
  );
  const [, locked = [], written = []] = results.slice(locks.length);
  return {
    saved: written[0] as unknown as ObjectRow | undefined,
    replaced: (locked[0]?.version as string | null | undefined) ?? undefined,
  };
}

/**
 * Whether nothing can have been committed: PostgreSQL has said no, or was never asked. Where the connection broke, it may
 * have said yes; what has no row then is left to the sweep.
 */
export function isSurelyUndone(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity === 'ERROR';
  return error instanceof CatalogueError || error instanceof PoolTimeoutError || isConnectError(error);
}

/** Somebody else is writing to the same key, and takes long. */
export function whenLocked(error: unknown): unknown {
  const refusal = asStorageError(error);
  return refusal.code === 'ResourceLocked' ? failure('LockTimeout', { cause: refusal.cause }) : refusal;
}
