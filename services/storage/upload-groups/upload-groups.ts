/**
 * Checks and writes the rows of concurrent uploads in groups: one flush serves all uploads that wait at the same time. Only
 * writes that neither policies nor triggers of the project can refuse are grouped. An upload whose group is rejected, or
 * whose key another writer has locked, is handled alone, so that no upload fails because of another one.
 */
import type { Database } from '@greenroom/postgres';
import pg from 'pg';
import { SERVICE_CALLER } from '../caller.ts';
import { type BucketRow, selectBucketsById } from '../rows/buckets.ts';
import type { NewObject } from '../rows/objects.ts';
import { preparedFor } from '../scope.ts';
import { GroupQueue } from './group-queue.ts';
import {
  BECOME_SERVICE,
  type KeyRestrictions,
  type ObjectKey,
  selectRestrictionsOfKeys,
  tryLockKeys,
  type WrittenGroupRow,
  writeGroup,
} from './group-rows.ts';

/** Most uploads of one group. All of them wait for its transaction. */
const MAX_UPLOADS = 32;
/** Longest user metadata of a grouped upload, as JSON text. Larger rows would delay the others. */
const MAX_METADATA_LENGTH = 16_384;

/** A write to group. */
interface GroupedWrite {
  row: NewObject;
  isUpsert: boolean;
}

/** Result of a check: `alone` if the group was rejected, `restricted` if policies or triggers apply to the write. */
type CheckOutcome =
  | { kind: 'unrestricted'; bucket: BucketRow | undefined; keyExists: boolean }
  | { kind: 'restricted' }
  | { kind: 'alone' };

/** Result of a write: `alone` if the row has certainly not been written and must be written alone. */
type WriteOutcome =
  | { kind: 'written'; id: string; replaced: string | undefined }
  | { kind: 'exists' }
  | { kind: 'alone' };

/** Groups of one instance. */
export interface UploadGroups {
  /** Checks a write of service_role before its content is received. */
  check(key: ObjectKey): Promise<CheckOutcome>;
  /**
   * Writes the row of content that is on stable storage. Rejects if the outcome may be unknown; see
   * `isCertainlyRolledBack`.
   */
  write(write: GroupedWrite): Promise<WriteOutcome>;
}

const ALONE = { kind: 'alone' } as const;

/** @param database returns the database of the next group */
export function createUploadGroups(database: () => Database): UploadGroups {
  const checks = new GroupQueue<ObjectKey, CheckOutcome>({
    maxItems: MAX_UPLOADS,
    keyOf: nameOf,
    runGroup: (keys) => checkGroup(database(), keys),
  });
  const writes = new GroupQueue<GroupedWrite, WriteOutcome>({
    maxItems: MAX_UPLOADS,
    keyOf: ({ row }) => nameOf(row),
    runGroup: (group) => writeRows(database(), group),
  });
  return {
    check: (key) => checks.run(key),
    write: async (write) => (isSmall(write.row) ? writes.run(write) : ALONE),
  };
}

function nameOf({ bucket, key }: ObjectKey): string {
  return `${bucket}/${key}`;
}

function isSmall({ userMetadata }: NewObject): boolean {
  return userMetadata === null || JSON.stringify(userMetadata).length <= MAX_METADATA_LENGTH;
}

async function checkGroup(database: Database, keys: readonly ObjectKey[]): Promise<readonly CheckOutcome[]> {
  const statements = [
    selectBucketsById([...new Set(keys.map(({ bucket }) => bucket))]),
    BECOME_SERVICE,
    preparedFor(SERVICE_CALLER, selectRestrictionsOfKeys(keys)),
  ];
  const results = await database.batch(statements).catch(undefinedIfRejected);
  if (results === undefined) return keys.map(() => ALONE);
  const [buckets = [], , [found] = []] = results;
  const { is_restricted, existing } = found as unknown as KeyRestrictions;
  if (is_restricted) return keys.map(() => ({ kind: 'restricted' }));
  const bucketOf = new Map((buckets as unknown as BucketRow[]).map((bucket) => [bucket.id, bucket]));
  const existingPositions = new Set(existing);
  return keys.map(({ bucket }, index) => ({
    kind: 'unrestricted',
    bucket: bucketOf.get(bucket),
    keyExists: existingPositions.has(index + 1),
  }));
}

async function writeRows(
  database: Database,
  group: readonly GroupedWrite[],
): Promise<readonly WriteOutcome[]> {
  const rows = group.map(({ row, isUpsert }, index) => ({ position: index + 1, row, isUpsert }));
  const replacing = rows.filter(({ isUpsert }) => isUpsert);
  const inserting = rows.filter(({ isUpsert }) => !isUpsert);
  const statements = [
    tryLockKeys(group.map(({ row }) => row)),
    ...(replacing.length === 0 ? [] : [preparedFor(SERVICE_CALLER, writeGroup(replacing, true))]),
    ...(inserting.length === 0 ? [] : [preparedFor(SERVICE_CALLER, writeGroup(inserting, false))]),
  ];
  const results = await database.transaction((tx) => tx.commit(statements)).catch(undefinedIfRolledBack);
  const written = (results?.slice(1).flat() ?? []) as unknown as WrittenGroupRow[];
  const rowAt = new Map(written.map((row) => [row.position, row]));
  return rows.map(({ position }) => outcomeOf(rowAt.get(position)));
}

function outcomeOf(written: WrittenGroupRow | undefined): WriteOutcome {
  if (written === undefined) return ALONE;
  const { id, replaced_version: replaced } = written;
  return id === null ? { kind: 'exists' } : { kind: 'written', id, replaced: replaced ?? undefined };
}

function undefinedIfRejected(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError)) throw error;
}

/** After errors that end the connection, the outcome is unknown. */
function undefinedIfRolledBack(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError && error.severity === 'ERROR')) throw error;
}
