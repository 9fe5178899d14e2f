/** Moving objects: content stays as it is, and gets another name. */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { rolledBack } from '@greenroom/postgres';
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { type Asking, become } from '../scope.ts';
import { requireValidKey } from '../validate/names.ts';
import { removeContent } from './content.ts';
import type { ObjectPath } from './find.ts';
import { lockKeys, lockVersion, type ObjectRow, relocateObject, selectObject } from './rows.ts';
import { isSurelyUndone, whenLocked } from './save.ts';

/** So often a move is begun anew because the object was overwritten meanwhile. */
const ATTEMPTS = 3;

/** Where from, and where to. */
export interface MoveRequest {
  from: ObjectPath;
  to: ObjectPath;
}

/** Moves one that the caller may see and change. Throws NoSuchKey and ResourceAlreadyExists. */
export async function moveObject(context: Context, asking: Asking, move: MoveRequest): Promise<void> {
  requireValidKey(move.to.key);
  let outcome: Outcome = 'overwritten';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    outcome = await tryToMove(context, asking, move);
    if (outcome === 'moved') return;
  }
  throw failure(outcome === 'gone' ? 'ContentNotFound' : 'ResourceLocked');
}

/** Content that is gone may have been overwritten meanwhile; where it stays gone, there is none. */
type Outcome = 'moved' | 'overwritten' | 'gone';

async function tryToMove(context: Context, asking: Asking, { from, to }: MoveRequest): Promise<Outcome> {
  const version = randomUUID();
  const relocation = { from, to, version, ...ownerOf(asking.caller) };
  const source = await requireMayMove(context, asking, relocation);
  if (from.bucket === to.bucket && from.key === to.key) return 'moved';
  if (source.version === null) throw failure('ContentNotFound');
  const content = { ...from, version: source.version };
  const isCopied = await context.store.copy(content, { ...to, version }).then(
    () => true,
    (error: unknown) => orGone(error),
  );
  if (!isCopied) return 'gone';
  try {
    const isMoved = await context.database.transaction(async (tx) => {
      const results = await tx.batch([...lockKeys(from, to), lockVersion(from.bucket, from.key)]);
      if (results.at(-1)?.[0]?.version !== source.version) return false;
      await tx.commit([relocateObject(relocation)]);
      return true;
    });
    await removeContent(context, [isMoved ? content : { ...to, version }]);
    return isMoved ? 'moved' : 'overwritten';
  } catch (error) {
    if (isSurelyUndone(error)) await removeContent(context, [{ ...to, version }]);
    throw whenLocked(error);
  }
}

/** The row, if policies let it be moved; tried and taken back. */
async function requireMayMove(
  { database }: Context,
  { caller, request }: Asking,
  relocation: Parameters<typeof relocateObject>[0],
): Promise<ObjectRow> {
  const { bucket, key } = relocation.from;
  const [, seen = [], moved = []] = await rolledBack(database, (tx) =>
    tx.batch([become(caller, request), selectObject(bucket, key), relocateObject(relocation)]),
  );
  const [row] = seen as unknown as ObjectRow[];
  if (row === undefined || moved.length === 0) throw failure('NoSuchKey');
  return row;
}

function orGone(error: unknown): false {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return false;
  throw error;
}
