/**
 * Switches a transaction to the role and claims of the caller. Statements of the service itself run as the owner of its
 * tables, to whom row-level security does not apply.
 */
import type { Database, Statement } from '@greenroom/postgres';
import { type Caller, SERVICE_CALLER } from './caller.ts';

/** Facts about a request that policies can read, in addition to the caller. */
export interface RequestDetails {
  /** One of OPERATIONS, e.g. `storage.object.upload`. */
  operation: string;
  method: string;
  path: string;
  /** JSON text of the request headers. */
  headers: string;
  /** Client address for limits per client; undefined if these do not apply. Policies cannot read it. */
  address: string | undefined;
}

/** The caller and the request that policies are evaluated for. */
export interface AccessContext {
  caller: Caller;
  request: RequestDetails;
}

/**
 * Returns the statement that sets the role, claims and request details. It must precede the caller's statements in the
 * same transaction. It returns no columns, which would repeat all settings.
 */
export function impersonate(caller: Caller, request: RequestDetails): Statement {
  return {
    text: `select from (
      select pg_catalog.set_config('role', $1, true), pg_catalog.set_config('request.jwt.claim.role', $1, true),
      pg_catalog.set_config('request.jwt', $2, true), pg_catalog.set_config('request.jwt.claim.sub', $3, true),
      pg_catalog.set_config('request.jwt.claims', $4, true), pg_catalog.set_config('request.headers', $5, true),
      pg_catalog.set_config('request.method', $6, true), pg_catalog.set_config('request.path', $7, true),
      pg_catalog.set_config('storage.operation', $8, true),
      pg_catalog.set_config('storage.allow_delete_query', 'true', true)
    ) as settings`,
    values: [
      caller.role,
      caller.token,
      caller.subject ?? '',
      caller.claims,
      request.headers,
      request.method,
      request.path,
      request.operation,
    ],
    name: 'storage_become',
  };
}

/** Roles of every instance. Tokens may name an unbounded number of other roles. */
const COMMON_ROLES: ReadonlySet<string> = new Set(['anon', 'authenticated', 'service_role']);

/**
 * Returns the statement for execution as the caller. PostgreSQL replans a prepared statement whenever the role differs
 * from that of the previous execution, because other policies may apply. So each common role has its own prepared
 * statement, and other roles use unnamed statements.
 */
export function preparedFor({ role }: Pick<Caller, 'role'>, statement: Statement): Statement {
  const { name, ...unnamed } = statement;
  return name !== undefined && COMMON_ROLES.has(role) ? { ...unnamed, name: `${name}_${role}` } : unnamed;
}

/**
 * Returns statements that change rows of objects after policies have permitted the change. They run as service_role, as
 * in the hosted service; triggers see the headers, claims and operation of the request. The role remains until the
 * transaction ends or {@link AS_OWNER} runs.
 */
export function asService({ caller, request }: AccessContext, statements: readonly Statement[]): Statement[] {
  const { role } = SERVICE_CALLER;
  return [
    impersonate({ ...caller, role }, request),
    ...statements.map((statement) => preparedFor(SERVICE_CALLER, statement)),
  ];
}

/** Follows {@link asService}: later statements run as the owner of the tables again. */
export const AS_OWNER: Statement = {
  text: `select pg_catalog.set_config('role', 'none', true)`,
  name: 'storage_as_owner',
};

/** Runs one statement as the caller, in one round trip. */
export async function asCaller<Row>(
  database: Database,
  caller: Caller,
  request: RequestDetails,
  statement: Statement,
): Promise<Row[]> {
  const [, rows = []] = await database.batch([impersonate(caller, request), preparedFor(caller, statement)]);
  return rows as Row[];
}
