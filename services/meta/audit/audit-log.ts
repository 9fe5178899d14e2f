/** The audit log: entries are written before a change, and completed with its outcome. */
import type { Database } from '@greenroom/postgres';
import { z } from 'zod';
import { failure } from '../errors.ts';

const MAX_VALUE_CHARACTERS = 262_144;

/** A value before or after a change; a larger one is replaced by a note, because it must not prevent the change. */
const value = z
  .unknown()
  .transform((content) =>
    JSON.stringify(content ?? null).length <= MAX_VALUE_CHARACTERS ? content : { omitted: 'too large' },
  );

/** The body of `POST /pg/audit`. */
export const newEntry = z.strictObject({
  actor_id: z.uuid().nullable().default(null),
  actor_email: z.string().max(320).nullable().default(null),
  actor_address: z.union([z.ipv4(), z.ipv6()]).nullable().default(null),
  request_id: z.string().max(200).nullable().default(null),
  /** Noun and verb: `user.ban`. */
  action: z
    .string()
    .max(100)
    .regex(/^[a-z_]+\.[a-z_]+$/),
  target: z.string().max(1000),
  summary: z.string().max(2000),
  before: value.optional(),
  after: value.optional(),
  undo_sql: z.string().max(1_000_000).nullable().default(null),
});

/** The body of `PATCH /pg/audit/:id`. */
export const entryOutcome = z.strictObject({
  outcome: z.enum(['done', 'failed']).optional(),
  error: z.string().max(10_000).nullable().optional(),
  after: value.optional(),
  undo_sql: z.string().max(1_000_000).nullable().optional(),
  /** Id of the entry of the change that undid this one. */
  undone_by: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

/** The query of `GET /pg/audit`. */
export const entryFilter = z.strictObject({
  /** Returns entries before this id. */
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  target: z.string().max(1000).optional(),
  actor: z.uuid().optional(),
  action: z.string().max(100).optional(),
});

const COLUMNS = `id::text, created_at, actor_id, actor_email, host(actor_address) as actor_address, request_id, action, target,
  summary, before, after, undo_sql, outcome, error, finished_at, undone_by::text`;

/** The entries, newest first. */
export interface AuditLog {
  /** Returns the id of the new entry. */
  add(entry: z.output<typeof newEntry>): Promise<string>;
  /** Throws an error of the catalogue for an unknown id. */
  complete(id: string, outcome: z.output<typeof entryOutcome>): Promise<void>;
  list(filter: z.output<typeof entryFilter>): Promise<Record<string, unknown>[]>;
  /** Deletes entries that are older than `days`. */
  prune(days: number): Promise<void>;
}

/** Returns the log of a database. */
export function createAuditLog(database: Database): AuditLog {
  return {
    async add(entry) {
      const [row] = await database.query<{ id: string }>({
        name: 'audit add',
        text: `insert into greenroom.audit_log
            (actor_id, actor_email, actor_address, request_id, action, target, summary, before, after, undo_sql)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id::text`,
        values: [
          entry.actor_id,
          entry.actor_email,
          entry.actor_address,
          entry.request_id,
          entry.action,
          entry.target,
          entry.summary,
          jsonOf(entry.before),
          jsonOf(entry.after),
          entry.undo_sql,
        ],
      });
      return row?.id ?? '';
    },
    async complete(id, { outcome, error, after, undo_sql: undoSql, undone_by: undoneBy }) {
      const rows = await database.query({
        name: 'audit complete',
        text: `update greenroom.audit_log set
            outcome = coalesce($2, outcome), error = coalesce($3, error), after = coalesce($4, after),
            undo_sql = coalesce($5, undo_sql), undone_by = coalesce($6, undone_by),
            finished_at = case when $2::text is null then finished_at else now() end
          where id = $1 returning id`,
        values: [id, outcome ?? null, error ?? null, jsonOf(after), undoSql ?? null, undoneBy ?? null],
      });
      if (rows.length === 0) throw failure('audit_entry_not_found');
    },
    list: ({ before, limit, target, actor, action }) =>
      database.query({
        name: 'audit list',
        text: `select ${COLUMNS} from greenroom.audit_log
          where ($1::bigint is null or id < $1) and ($2::text is null or target = $2)
            and ($3::uuid is null or actor_id = $3) and ($4::text is null or action = $4)
          order by id desc limit $5`,
        values: [before ?? null, target ?? null, actor ?? null, action ?? null, limit],
      }),
    async prune(days) {
      await database.query({
        text: `delete from greenroom.audit_log where created_at < now() - make_interval(days => $1)`,
        values: [days],
      });
    },
  };
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
