/** What policies say about a write, before anything is written: it is tried, and taken back. */
import { rolledBack } from '@greenroom/postgres';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { asStorageError } from '../respond/as-storage-error.ts';
import { type Asking, become } from '../scope.ts';
import { insertObject, type NewObject, upsertObject } from './rows.ts';

/** Of a row that is only tried. Policies see it. */
const TRIED_VERSION = '1';

/** A write that somebody would like to do. */
export type TriedObject = Omit<NewObject, 'version'>;

/** Throws AccessDenied, or KeyAlreadyExists where it would overwrite without being an upsert. */
export async function requireMayWrite(
  { database }: Pick<Context, 'database'>,
  { caller, request }: Asking,
  tried: TriedObject,
  isUpsert: boolean,
): Promise<void> {
  const row = { ...tried, version: TRIED_VERSION };
  const write = isUpsert ? upsertObject(row) : insertObject(row);
  await rolledBack(database, (tx) => tx.batch([become(caller, request), write])).catch(keyExists);
}

/** What a unique index says of a key that is taken. */
export function keyExists(error: unknown): never {
  const refusal = asStorageError(error);
  throw refusal.code === 'ResourceAlreadyExists' ? failure('KeyAlreadyExists') : refusal;
}
