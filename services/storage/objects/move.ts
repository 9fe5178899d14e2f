/** Moves objects. Content is unchanged and gets a new name. */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { runAndRollBack } from '@greenroom/postgres';
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { limitKeysOf, runLimited } from '../limits.ts';
import type { Reservation } from '../quotas/quotas.ts';
import type { QuotaScope } from '../quotas/space-request.ts';
import type { ObjectPath } from '../request/object-path.ts';
import { type BucketRow, selectBucket } from '../rows/buckets.ts';
import {
  lockKeys,
  lockVersion,
  type ObjectRow,
  type Relocation,
  relocateObject,
  selectObject,
} from '../rows/objects.ts';
import { type AccessContext, AS_OWNER, asService, impersonate } from '../scope.ts';
import { removeContentOfDeleted, removeContentOfUncommitted } from '../store/remove-content.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { isPlaceholder, requireNewKey } from '../validate/names.ts';
import { isCertainlyRolledBack, mapLockTimeout } from './save.ts';
import { sizeOf } from './size.ts';

/** Attempts of a move, which is retried if the object is overwritten meanwhile. */
const ATTEMPTS = 3;

/** Source and target of a move. */
interface MoveRequest {
  from: ObjectPath;
  to: ObjectPath;
}

/**
 * Moves an object that the caller may see and change. Throws NoSuchKey, ResourceAlreadyExists, and the errors of an
 * upload of the same content to the bucket.
 */
export async function moveObject(context: Context, access: AccessContext, move: MoveRequest): Promise<void> {
  requireNewKey(move.to.key);
  return runLimited(context.limits.uploads, limitKeysOf(access), () => moveVisible(context, access, move));
}

async function moveVisible(context: Context, access: AccessContext, move: MoveRequest): Promise<void> {
  let outcome: Outcome = 'overwritten';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    outcome = await tryToMove(context, access, move);
    if (outcome === 'moved') return;
  }
  throw failure(outcome === 'gone' ? 'ContentNotFound' : 'ResourceLocked');
}

/**
 * Result of one attempt. `gone`: the content does not exist. The object may have been overwritten meanwhile; if a retry
 * gives the same result, the content is missing.
 */
type Outcome = 'moved' | 'overwritten' | 'gone';

async function tryToMove(
  context: Context,
  access: AccessContext,
  { from, to }: MoveRequest,
): Promise<Outcome> {
  const version = randomUUID();
  const relocation = { from, to, version, ...ownerOf(access.caller) };
  const { source, target } = await requireMayMove(context, access, relocation);
  if (from.bucket === to.bucket && from.key === to.key) return 'moved';
  if (source.version === null) throw failure('ContentNotFound');
  const size = await sizeOf(context, source).catch(falseIfMissing);
  if (size === false) return 'gone';
  if (!isRename({ from, to })) {
    const { mimetype: mimeType, cacheControl } = source.metadata ?? {};
    const instanceLimit = context.config.maxObjectBytes;
    requireAccepted(target, { key: to.key, mimeType, cacheControl, size, instanceLimit });
  }
  const scopes = scopesOf(relocation, source);
  const spaceRequest = { ...to, ownerId: relocation.ownerId, isUpsert: false, maxBytes: size, size, scopes };
  return context.quotas.withReservation(spaceRequest, (reservation) =>
    relocate(context, access, relocation, source.version ?? '', reservation),
  );
}

/** Returns the quotas that the move adds bytes to: that of another bucket, and that of a new owner. */
function scopesOf({ from, to, ownerId }: Relocation, source: ObjectRow): QuotaScope[] {
  const changesOwner = ownerId !== null && ownerId !== source.owner_id;
  return [
    ...(from.bucket === to.bucket ? [] : (['bucket'] as const)),
    ...(changesOwner ? (['user'] as const) : []),
  ];
}

async function relocate(
  context: Context,
  access: AccessContext,
  relocation: Relocation,
  sourceVersion: string,
  reservation: Reservation,
): Promise<Outcome> {
  const { from, to, version } = relocation;
  const content = { ...from, version: sourceVersion };
  const target = { ...to, version };
  const isCopied = await context.store.copy(content, target).then(
    () => true,
    (error: unknown) => falseIfMissing(error),
  );
  if (!isCopied) return 'gone';
  context.contentCopies?.written(target);
  try {
    const isMoved = await context.database.transaction(async (tx) => {
      const results = await tx.batch([...lockKeys(from, to), lockVersion(from.bucket, from.key)]);
      if (results.at(-1)?.[0]?.version !== sourceVersion) return false;
      await tx.commit([...asService(access, [relocateObject(relocation)]), AS_OWNER, ...reservation.release]);
      return true;
    });
    if (isMoved) await removeContentOfDeleted(context, [content]);
    else await removeContentOfUncommitted(context, [target]);
    return isMoved ? 'moved' : 'overwritten';
  } catch (error) {
    if (isCertainlyRolledBack(error)) await removeContentOfUncommitted(context, [target]);
    throw mapLockTimeout(error);
  }
}

/**
 * Whether the move stays within a bucket, which has already accepted the object, even if its rules have changed since.
 * Placeholders of folders have other rules.
 */
function isRename({ from, to }: MoveRequest): boolean {
  return from.bucket === to.bucket && isPlaceholder(from.key) === isPlaceholder(to.key);
}

/** Returns the object's row and its new bucket if policies permit the move. The move is executed and rolled back. */
async function requireMayMove(
  { database }: Context,
  { caller, request }: AccessContext,
  relocation: Relocation,
): Promise<{ source: ObjectRow; target: BucketRow }> {
  const { from, to } = relocation;
  const [buckets = [], , seen = [], moved = []] = await runAndRollBack(database, (tx) =>
    tx.batch([
      selectBucket(to.bucket),
      impersonate(caller, request),
      selectObject(from.bucket, from.key),
      relocateObject(relocation),
    ]),
  );
  const [source] = seen as unknown as ObjectRow[];
  const [target] = buckets as unknown as BucketRow[];
  if (source === undefined || target === undefined || moved.length === 0) throw failure('NoSuchKey');
  return { source, target };
}

function falseIfMissing(error: unknown): false {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return false;
  throw error;
}
