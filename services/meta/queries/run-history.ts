/** The history of the SQL page: entries are written before a run, and completed with its outcome. */
import type { Database } from '@greenroom/postgres';
import { z } from 'zod';
import { failure } from '../errors.ts';
import { sqlText } from '../run/run-request.ts';

/** Maximum number of entries of an administrator. */
const MAX_ENTRIES = 500;
const MAX_SQL_CHARACTERS = 1_000_000;
const MAX_RESULT_CHARACTERS = 64 * 1024 * 1024;

/** The body of `POST /pg/history`. */
export const newRun = z.strictObject({
  id: z.uuid(),
  actor_id: z.uuid(),
  sql: sqlText(MAX_SQL_CHARACTERS),
  role: sqlText(63).min(1).default('postgres'),
  claims: z.record(z.string(), z.unknown()).nullable().default(null),
  read_only: z.boolean().default(false),
});

/** The body of `PATCH /pg/history/:id`. */
export const runOutcome = z.strictObject({
  outcome: z.enum(['done', 'failed']),
  duration_ms: z.number().min(0).nullable().default(null),
  row_count: z.int().min(0).nullable().default(null),
  error: z.string().max(10_000).nullable().default(null),
  /** JSON, for a page that was left during the run. */
  result: sqlText(MAX_RESULT_CHARACTERS).nullable().default(null),
});

/** The query of `GET /pg/history`. */
export const runFilter = z.strictObject({
  actor: z.uuid(),
  /** Returns entries before this number. */
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(50),
  /** A part of the SQL, in any case. */
  search: sqlText(200).optional(),
});

/** The query of `GET /pg/history/:id` and `DELETE /pg/history`. */
export const runReader = z.strictObject({ actor: z.uuid() });

const COLUMNS = `id, number::text, sql, role, claims, read_only, started_at, finished_at, outcome, duration_ms,
  row_count::text, error`;

/** The entries of each administrator. */
export interface RunHistory {
  /** Also removes the oldest entries, and results that are older than an hour. */
  add(run: z.output<typeof newRun>): Promise<void>;
  complete(id: string, outcome: z.output<typeof runOutcome>): Promise<void>;
  /** Newest first, without results. */
  list(filter: z.output<typeof runFilter>): Promise<Record<string, unknown>[]>;
  /** Returns one entry with its result. Throws an error of the catalogue for an unknown id. */
  find(id: string, actor: string): Promise<Record<string, unknown>>;
  /** Removes the entries of finished runs. */
  clear(actor: string): Promise<void>;
}

/** Returns the history of a database. */
export function createRunHistory(database: Database): RunHistory {
  return {
    async add({ id, actor_id: actor, sql, role, claims, read_only: isReadOnly }) {
      await database.query({
        name: 'history add',
        text: `insert into greenroom.sql_runs (id, actor_id, sql, role, claims, read_only) values ($1, $2, $3, $4, $5, $6)`,
        values: [id, actor, sql, role, claims === null ? null : JSON.stringify(claims), isReadOnly],
      });
      await database.query({
        name: 'history limit',
        text: `delete from greenroom.sql_runs where actor_id = $1 and number <= (
            select number from greenroom.sql_runs where actor_id = $1 order by number desc offset ${MAX_ENTRIES} limit 1)`,
        values: [actor],
      });
      await database.query({
        name: 'history results',
        text: `update greenroom.sql_runs set result = null
          where result is not null and finished_at < now() - interval '1 hour'`,
        values: [],
      });
    },
    async complete(id, { outcome, duration_ms: durationMs, row_count: rowCount, error, result }) {
      await database.query({
        name: 'history complete',
        text: `update greenroom.sql_runs set outcome = $2, duration_ms = $3, row_count = $4, error = $5, result = $6,
          finished_at = now() where id = $1`,
        values: [id, outcome, durationMs, rowCount, error, result],
      });
    },
    list: ({ actor, before, limit, search }) =>
      database.query({
        name: 'history list',
        text: `select ${COLUMNS}, result is not null as has_result from greenroom.sql_runs
          where actor_id = $1 and ($2::bigint is null or number < $2)
            and ($3::text is null or strpos(lower(sql), lower($3)) > 0)
          order by sql_runs.number desc limit $4`,
        values: [actor, before ?? null, search ?? null, limit],
      }),
    async find(id, actor) {
      const [run] = await database.query<Record<string, unknown>>({
        name: 'history find',
        text: `select ${COLUMNS}, result from greenroom.sql_runs where id = $1 and actor_id = $2`,
        values: [id, actor],
      });
      if (run === undefined) throw failure('run_not_found');
      return run;
    },
    async clear(actor) {
      await database.query({
        name: 'history clear',
        text: `delete from greenroom.sql_runs where actor_id = $1 and outcome <> 'started'`,
        values: [actor],
      });
    },
  };
}
