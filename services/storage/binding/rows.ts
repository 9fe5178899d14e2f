/** Statements for the row of greenroom.instance, and for a sample of the content that the database names. */
import type { Database, Statement } from '@greenroom/postgres';
import pg from 'pg';
import type { ContentName } from '../store/object-store.ts';

/** The instance id of the database. */
export interface InstanceRow {
  /** Undefined until the first start binds a store. */
  id: string | undefined;
  /** The database was used before instances had ids, and has not been bound to a store since. */
  isFromBeforeIds: boolean;
}

const SELECT = 'select id, is_from_before_ids as "isFromBeforeIds" from greenroom.instance';
/**
 * SQLSTATE undefined_table, invalid_schema_name and insufficient_privilege: the database was last migrated by a version
 * without instance ids.
 */
const WITHOUT_IDS = new Set(['42P01', '3F000', '42501']);

/** Reads the row; undefined if the database was last migrated by a version without instance ids. */
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

/** Locks the row until the end of the transaction, so that other nodes wait, and reads it. */
export async function lockInstance(database: Pick<Database, 'batch'>): Promise<InstanceRow> {
  const [, rows = []] = await database.batch([
    { text: 'insert into greenroom.instance default values on conflict do nothing' },
    { text: `${SELECT} for update` },
  ]);
  return rowOf(rows as unknown as SelectedRow[]);
}

/** Sets the instance id of the database. */
export function setId(id: string): Statement {
  return { text: 'update greenroom.instance set id = $1', values: [id] };
}

/** Records that the store carries the id of the database. */
export const MARK_BOUND: Statement = {
  text: 'update greenroom.instance set is_from_before_ids = false where is_from_before_ids',
};

/** Selects the content names of at most `limit` objects. */
export function selectSampleContent(limit: number): Statement {
  return {
    text: `select bucket_id as bucket, name as key, version from storage.objects
      where version is not null limit $1`,
    values: [limit],
  };
}

/** Result rows of {@link selectSampleContent}. */
export type SampleContent = ContentName[];
