/**
 * Becoming the caller for one transaction. What storage does by itself it does as the owner of its tables, to whom
 * row-level security does not apply.
 */
import type { Database, Statement } from '@greenroom/postgres';
import { type Caller, SERVICE_CALLER } from './caller.ts';

/** What policies can ask about a request, besides who it comes from. */
export interface RequestFacts {
  /** E.g. `storage.object.upload`: one of OPERATIONS. */
  operation: string;
  method: string;
  path: string;
  /** JSON text of its headers. */
  headers: string;
  /** Where limits per client count it; undefined where they do not apply. Policies do not see it. */
  address: string | undefined;
}

/** Whom policies are asked about, and for what. */
export interface Asking {
  caller: Caller;
  request: RequestFacts;
}

/** The statement that goes before those of a caller in the same transaction. */
export function become(caller: Caller, request: RequestFacts): Statement {
  return {
    text: `select pg_catalog.set_config('role', $1, true), pg_catalog.set_config('request.jwt.claim.role', $1, true),
      pg_catalog.set_config('request.jwt', $2, true), pg_catalog.set_config('request.jwt.claim.sub', $3, true),
      pg_catalog.set_config('request.jwt.claims', $4, true), pg_catalog.set_config('request.headers', $5, true),
      pg_catalog.set_config('request.method', $6, true), pg_catalog.set_config('request.path', $7, true),
      pg_catalog.set_config('storage.operation', $8, true),
      pg_catalog.set_config('storage.allow_delete_query', 'true', true)`,
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

/** Roles that all instances have. Others come from tokens, and there may be any number of them. */
const COMMON_ROLES: ReadonlySet<string> = new Set(['anon', 'authenticated', 'service_role']);

/**
 * A statement to be run as the caller. PostgreSQL plans a prepared one anew whenever the role is not that of the last
 * time, for policies may be others: so each of the common roles has one of its own.
 */
export function preparedFor({ role }: Pick<Caller, 'role'>, statement: Statement): Statement {
  const { name, ...unnamed } = statement;
  return name !== undefined && COMMON_ROLES.has(role) ? { ...unnamed, name: `${name}_${role}` } : unnamed;
}

/**
 * Statements that change rows of objects after policies have allowed it. They run as service_role, as in the hosted
 * service; triggers see the headers, claims and operation of the request. The role stays until
 * the transaction ends or {@link AS_OWNER} follows.
 */
export function asService({ caller, request }: Asking, statements: readonly Statement[]): Statement[] {
  const { role } = SERVICE_CALLER;
  return [
    become({ ...caller, role }, request),
    ...statements.map((statement) => preparedFor(SERVICE_CALLER, statement)),
  ];
}

/** Behind {@link asService}: what follows runs as the owner of the tables again. */
export const AS_OWNER: Statement = {
  text: `select pg_catalog.set_config('role', 'none', true)`,
  name: 'storage_as_owner',
};

/** Runs one statement as the caller: one round trip. */
export async function asCaller<Row>(
  database: Database,
  caller: Caller,
  request: RequestFacts,
  statement: Statement,
): Promise<Row[]> {
  const [, rows = []] = await database.batch([become(caller, request), preparedFor(caller, statement)]);
  return rows as Row[];
}
