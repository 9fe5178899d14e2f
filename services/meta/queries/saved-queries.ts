/** The saved queries of the SQL page. Private ones belong to one administrator, shared ones to all. */
import type { Database } from '@greenroom/postgres';
import { z } from 'zod';
import { failure } from '../errors.ts';
import { sqlText } from '../run/run-request.ts';

const MAX_SQL_CHARACTERS = 1_000_000;
const MAX_QUERIES = 2000;

const fields = {
  actor_id: z.uuid(),
  /** Shown to other administrators. */
  actor_email: z.string().max(320).nullable().default(null),
  name: sqlText(200).min(1),
  sql: sqlText(MAX_SQL_CHARACTERS),
  is_shared: z.boolean().default(false),
};

/** The body of `POST /pg/queries`. */
export const newQuery = z.strictObject(fields);

/** The body of `PATCH /pg/queries/:id`. `version` is the one that the change is based on. */
export const changedQuery = z.strictObject({ ...fields, version: z.int().min(1) });

/** The query of `GET /pg/queries`. */
export const queryReader = z.strictObject({ actor: z.uuid() });

/** The query of `DELETE /pg/queries/:id`. */
export const deletedQuery = z.strictObject({ actor: z.uuid(), version: z.coerce.number().int().min(1) });

/** A saved query. */
interface SavedQuery {
  id: string;
  name: string;
  sql: string;
  owner_id: string;
  is_shared: boolean;
  version: number;
  updated_at: string;
  updated_by: string | null;
}

/** The saved queries of a database. Methods that name a query throw an error of the catalogue. */
export interface SavedQueries {
  /** Returns those of an administrator and all shared ones, by name. */
  list(actor: string): Promise<SavedQuery[]>;
  add(query: z.output<typeof newQuery>): Promise<SavedQuery>;
  change(id: string, query: z.output<typeof changedQuery>): Promise<SavedQuery>;
  remove(id: string, query: z.output<typeof deletedQuery>): Promise<void>;
}

const COLUMNS = 'id, name, sql, owner_id, is_shared, version, updated_at, updated_by';
const IS_VISIBLE = '(owner_id = $1 or is_shared)';

/** Returns the saved queries of a database. */
export function createSavedQueries(database: Database): SavedQueries {
  /** A change without a row: the query is unknown, or has another version. */
  async function conflictOf(id: string, actor: string) {
    const [current] = await database.query<SavedQuery>({
      name: 'queries find',
      text: `select ${COLUMNS} from greenroom.saved_queries where ${IS_VISIBLE} and id = $2`,
      values: [actor, id],
    });
    return current === undefined
      ? failure('query_not_found')
      : failure('query_changed', { extra: { current } });
  }

  return {
    list: (actor) =>
      database.query({
        name: 'queries list',
        text: `select ${COLUMNS} from greenroom.saved_queries where ${IS_VISIBLE} order by lower(name), id limit ${MAX_QUERIES}`,
        values: [actor],
      }),
    async add({ actor_id: actor, actor_email: email, name, sql, is_shared: isShared }) {
      const [added] = await database.query<SavedQuery>({
        name: 'queries add',
        text: `insert into greenroom.saved_queries (owner_id, updated_by, name, sql, is_shared)
          select $1, $2, $3, $4, $5
          where (select count(*) from greenroom.saved_queries where owner_id = $1) < ${MAX_QUERIES}
          returning ${COLUMNS}`,
        values: [actor, email, name, sql, isShared],
      });
      if (added === undefined) throw failure('too_many_queries');
      return added;
    },
    async change(id, { actor_id: actor, actor_email: email, name, sql, is_shared: isShared, version }) {
      const [changed] = await database.query<SavedQuery>({
        name: 'queries change',
        // Only its owner can make a shared query private, because it would disappear for the others.
        text: `update greenroom.saved_queries set updated_by = $3, name = $4, sql = $5,
            is_shared = case when owner_id = $1 then $6 else is_shared end, version = version + 1, updated_at = now()
          where ${IS_VISIBLE} and id = $2 and version = $7 returning ${COLUMNS}`,
        values: [actor, id, email, name, sql, isShared, version],
      });
      if (changed === undefined) throw await conflictOf(id, actor);
      return changed;
    },
    async remove(id, { actor, version }) {
      const deleted = await database.query({
        name: 'queries remove',
        text: `delete from greenroom.saved_queries where ${IS_VISIBLE} and id = $2 and version = $3 returning id`,
        values: [actor, id, version],
      });
      if (deleted.length === 0) throw await conflictOf(id, actor);
    },
  };
}
