/**
 * Decides whether the server receives a large request body. A large body costs memory and time, so the server first checks
 * that the relation or function exists and that the caller's role has the privilege that the request needs. PostgreSQL
 * checks privileges again when the statement runs; this check only saves the work for callers without the privilege.
 */
import { type RawPool, StatementLatency } from '@greenroom/postgres';
import type { Caller } from './auth/caller.ts';
import { refuse } from './error-response.ts';
import { failure } from './errors.ts';
import { findWithoutArguments } from './plan/find-function.ts';
import { requireRelation } from './plan/require-relation.ts';
import type { DataRequest } from './request/data-request.ts';
import { type Action, acceptsBody } from './request/method.ts';
import { parseTarget } from './request/parse-request.ts';
import { type HttpResponse, withTraceHeader } from './respond/http-response.ts';
import { keyOf } from './schema-cache/schema-cache.ts';
import type { Snapshot } from './snapshot.ts';

/** `ignore`: the action does not read a body. */
type BodyAuthorization = 'receive' | 'ignore';

interface AuthorizationContext {
  /** Undefined until the schema has been read for the first time. */
  snapshot: Snapshot | undefined;
  pool: RawPool;
  /** Logs the cause of a 5xx response. */
  onFailure: (error: unknown) => void;
}

/** The error that PostgreSQL would report for the statement. */
class PermissionDeniedError extends Error {
  override readonly name = 'PermissionDeniedError';
  readonly severity = 'ERROR';
  readonly code = '42501';

  constructor(object: string) {
    super(`permission denied for ${object}`);
  }
}

/** PUT also needs UPDATE if the row exists, but that is unknown before the statement runs. */
const PRIVILEGES = { insert: 'insert', put: 'insert', update: 'update' } as const;

/** Returns no row if the role or the relation does not exist; the statement of the request reports that. */
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

/** One overload that the role may execute is enough. */
const FUNCTION_PRIVILEGE = `select case
    when not bool_or(pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')) then 'schema ' || $2
    when not bool_or(pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')) then 'function ' || $3
  end
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_roles r on r.rolname = $1
  where n.nspname = $2 and p.proname = $3`;

const LATENCY = new StatementLatency();

/**
 * Decides whether the server receives a large body. Returns an error response if it refuses the body. Never rejects.
 * @param http the request without its body, which has not been received yet
 */
export async function authorizeBody(
  { snapshot, pool, onFailure }: AuthorizationContext,
  http: DataRequest,
): Promise<BodyAuthorization | HttpResponse> {
  let caller: Caller | undefined;
  try {
    if (snapshot === undefined) throw failure('PGRST002');
    caller = await snapshot.readCaller(http.token);
    const { action, profile } = parseTarget(http, snapshot.config);
    if (!acceptsBody(action)) return 'ignore';
    const denied = await deniedObject(snapshot, pool, { action, schema: profile.schema, role: caller.role });
    if (denied !== undefined) throw new PermissionDeniedError(denied);
    return 'receive';
  } catch (error) {
    const refusal = refuse(error, snapshot?.config, caller);
    if (refusal.status >= 500) onFailure(error);
    return withTraceHeader(refusal, snapshot?.config.traceHeader, http);
  }
}

/**
 * Returns the object on which the role lacks the privilege that the action needs, or undefined if it has the privilege.
 * @throws PGRST205, PGRST202 or PGRST203 if the relation or function does not exist, and the errors of the pool
 */
function deniedObject(
  { cache }: Pick<Snapshot, 'cache'>,
  pool: RawPool,
  { action, schema, role }: { action: Action; schema: string; role: string },
): Promise<string | undefined> {
  if (action.kind === 'call') {
    const name = { schema: action.schema ?? schema, name: action.function };
    if (!cache.functions.has(keyOf(name))) findWithoutArguments(cache, name);
    return queryText(pool, FUNCTION_PRIVILEGE, [role, name.schema, name.name]);
  }
  const { kind, relation } = action as Extract<Action, { kind: keyof typeof PRIVILEGES }>;
  const name = { schema, name: relation };
  requireRelation(cache, name);
  return queryText(pool, RELATION_PRIVILEGE, [role, name.schema, name.name, PRIVILEGES[kind]]);
}

async function queryText(
  pool: RawPool,
  text: string,
  values: readonly string[],
): Promise<string | undefined> {
  const { result } = await pool.read({ write: () => ({ statements: [{ text, values }] }), latency: LATENCY });
  if (result.failure !== undefined) throw result.failure.error;
  return result.results[0]?.rows[0]?.[0]?.toString();
}
