/** The row of greenroom.instance, and what the database says about its content. */
import type { Database, Statement } from '@greenroom/postgres';
import pg from 'pg';
import type { ContentName } from '../store/object-store.ts';

/** The identity of the database. */
export interface InstanceRow {
  /** Undefined before the first start has found a store. */
  id: string | undefined;
  /** The database was in use before instances had ids, and has not met its store since. */
  isFromBeforeIds: boolean;
}

const SELECT = 'select id, is_from_before_ids as "isFromBeforeIds" from greenroom.instance';
/** Undefined table, undefined schema, insufficient privilege: the database was last migrated by a version without ids. */
const WITHOUT_IDS = new Set(['42P01', '3F000', '42501']);

/** Reads the identity; undefined where the database is of a version without ids. */
export async function readInstance(database: Pick<Database, 'query'>): Promise<InstanceRow | undefined> {
  try {
    return rowOf(await database.query<SelectedRow>({ text: SELECT, name: 'storage_instance' }));
  } catch (error) {
    if (error instanceof pg.DatabaseError && WITHOUT_IDS.has(error.code ?? '')) return undefined;
    throw error;
  }
}

interface SelectedRow {
  id: string | null;
  isFromBeforeIds: boolean;
}

function rowOf([row]: SelectedRow[]): InstanceRow {
  return { id: row?.id ?? undefined, isFromBeforeIds: row?.isFromBeforeIds ?? false };
}

/** Makes other nodes wait until the end of the transaction, and reads the identity. */
export async function lockInstance(database: Pick<Database, 'batch'>): Promise<InstanceRow> {
  const [, rows = []] = await database.batch([
    { text: 'insert into greenroom.instance default values on conflict do nothing' },
    { text: `${SELECT} for update` },
  ]);
  return rowOf(rows as unknown as SelectedRow[]);
}

/** Gives the database an id. */
export function setId(id: string): Statement {
  return { text: 'update greenroom.instance set id = $1', values: [id] };
}

/** Notes that the store carries the id of the database. */
export const NOTE_BOUND: Statement = {
  text: 'update greenroom.instance set is_from_before_ids = false where is_from_before_ids',
};

/** Names of the content of some objects, at most `most`. */
export function selectSomeContent(most: number): Statement {
  return {
    text: `select bucket_id as bucket, name as key, version from storage.objects
      where version is not null limit $1`,
    values: [most],
  };
}

/** Rows of {@link selectSomeContent}. */
export type SomeContent = ContentName[];
