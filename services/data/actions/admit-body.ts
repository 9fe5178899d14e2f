/**
 * Whether the body of a request is received. Small ones always are. A large one costs memory and time, so its relation or
 * function has to be there first, and the role of the caller has to have the privilege that the request needs. PostgreSQL
 * checks privileges once more when the statement runs; this check only avoids work for callers without any.
 */
import { Pace, type RawPool } from '@greenroom/postgres';
import type { Caller } from '../auth/caller.ts';
import { findWithoutArguments } from '../plan/find-function.ts';
import { type Action, takesBody } from '../request/method.ts';
import { keyOf } from '../schema-cache/schema-cache.ts';
import type { Snapshot } from '../snapshot.ts';
import { requireRelation } from './require-relation.ts';

/** `ignore`: the action has no use for a body. */
export type BodyAdmission = 'receive' | 'ignore';

/** What a large body is sent for. */
interface BodyPurpose {
  action: Action;
  /** Of the request. */
  schema: string;
  caller: Caller;
}

/** What PostgreSQL would report for the statement. */
class PermissionDeniedError extends Error {
  override readonly name = 'PermissionDeniedError';
  readonly severity = 'ERROR';
  readonly code = '42501';

  constructor(object: string) {
    super(`permission denied for ${object}`);
  }
}

/** `put` updates the row, too, but where there is none only INSERT is needed to begin with. */
const PRIVILEGES = { insert: 'insert', put: 'insert', update: 'update' } as const;

/** No row where the role or the object is not there; the statement of the request reports that. */
const RELATION_PRIVILEGE = `select case
    when not pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage') then 'schema ' || n.nspname
    when not pg_catalog.has_any_column_privilege(r.oid, c.oid, $4) then
      case c.relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'f' then 'foreign table ' else 'table ' end
      || c.relname
  end
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_roles r on r.rolname = $1
  where n.nspname = $2 and c.relname = $3`;

/** One overload that may be called is enough. */
const FUNCTION_PRIVILEGE = `select case
    when not bool_or(pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')) then 'schema ' || $2
    when not bool_or(pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')) then 'function ' || $3
  end
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_roles r on r.rolname = $1
  where n.nspname = $2 and p.proname = $3`;

const PACE = new Pace();

/**
 * Decides about a large body.
 * @throws PGRST205, PGRST202 and PGRST203 where there is nothing to send it to, an error 42501 where the caller lacks the
 *   privilege, and what the pool throws
 */
export async function admitBody(
  { cache }: Pick<Snapshot, 'cache'>,
  pool: RawPool,
  { action, schema, caller }: BodyPurpose,
): Promise<BodyAdmission> {
  if (!takesBody(action)) return 'ignore';
  const denied = await deniedObject();
  if (denied !== undefined) throw new PermissionDeniedError(denied);
  return 'receive';

  function deniedObject(): Promise<string | undefined> {
    if (action.kind === 'call') {
      const name = { schema: action.schema ?? schema, name: action.function };
      if (!cache.functions.has(keyOf(name))) findWithoutArguments(cache, name);
      return ask(pool, FUNCTION_PRIVILEGE, [caller.role, name.schema, name.name]);
    }
    const { kind, relation } = action as Extract<Action, { kind: keyof typeof PRIVILEGES }>;
    const name = { schema, name: relation };
    requireRelation(cache, name);
    return ask(pool, RELATION_PRIVILEGE, [caller.role, name.schema, name.name, PRIVILEGES[kind]]);
  }
}

async function ask(pool: RawPool, text: string, values: readonly string[]): Promise<string | undefined> {
  const { result } = await pool.read({ write: () => ({ statements: [{ text, values }] }), pace: PACE });
  if (result.failure !== undefined) throw result.failure.error;
  return result.results[0]?.rows[0]?.[0]?.toString();
}
