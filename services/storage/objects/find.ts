/** Finds objects to read, and checks who may see them. */

import { ANONYMOUS } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { ObjectPath } from '../request/object-path.ts';
import { type ObjectRow, selectObject, selectPublic } from '../rows/objects.ts';
import { type AccessContext, asCaller, impersonate, preparedFor } from '../scope.ts';

type PublicRow = { public: boolean } & ({ id: null } | ObjectRow);

/**
 * Returns an object of a public bucket for any caller. Throws NoSuchBucket, also for private buckets, and NoSuchKey.
 */
export async function findPublic({ database }: Context, { bucket, key }: ObjectPath): Promise<ObjectRow> {
  const [row] = await database.query<PublicRow>(selectPublic(bucket, key));
  if (!row?.public) throw failure('NoSuchBucket');
  return requireObject(row);
}

/**
 * Returns an object of a public bucket or one that the caller may see, in one round trip. Callers without a token see
 * only public buckets; private ones appear as missing. Throws NoSuchBucket and NoSuchKey.
 */
export async function findReadable(
  context: Context,
  access: AccessContext,
  path: ObjectPath,
): Promise<ObjectRow> {
  const { caller, request } = access;
  const { bucket, key } = path;
  if (caller === ANONYMOUS) return findPublic(context, path);
  const selectVisible = preparedFor(caller, selectObject(bucket, key));
  const statements = [selectPublic(bucket, key), impersonate(caller, request), selectVisible];
  const [found = [], , visible = []] = await context.database
    .batch(statements)
    .catch(async (error: unknown) => {
      // Policies do not apply to public buckets, so an error that a policy raises is ignored.
      const [row] = await context.database.query(selectPublic(bucket, key));
      if (row?.public !== true) throw error;
      return [[row]];
    });
  const row = found[0] as unknown as PublicRow | undefined;
  if (row === undefined) throw failure('NoSuchBucket');
  return requireObject(row.public ? row : (visible[0] as unknown as ObjectRow | undefined));
}

/** Returns an object that the caller may see by policies, even if its bucket is public. Throws NoSuchKey. */
export async function findVisible(
  context: Context,
  access: AccessContext,
  path: ObjectPath,
): Promise<ObjectRow> {
  const statement = selectObject(path.bucket, path.key);
  const [row] = await asCaller<ObjectRow>(context.database, access.caller, access.request, statement);
  return requireObject(row);
}

/** Returns the object that a verified link names. Throws NoSuchKey. */
export async function findLinked({ database }: Context, { bucket, key }: ObjectPath): Promise<ObjectRow> {
  const [row] = await database.query<ObjectRow>(selectObject(bucket, key));
  return requireObject(row);
}

function requireObject(row: { id: null } | ObjectRow | undefined): ObjectRow {
  if (row === undefined || row.id === null) throw failure('NoSuchKey');
  return row;
}
