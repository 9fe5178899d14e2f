/** The transaction of a request: its statements with their values, its settings, and how it ends. */

import type { RawValue, ShareHolder, StatementLatency } from '@greenroom/postgres';
import type { Caller } from '../auth/caller.ts';
import { callValues } from '../plan/call-plan.ts';
import type { ExecutionPlan } from '../plan/request-plan.ts';
import { bind, parametersOf } from '../plan/slots.ts';
import { cookiesJson, headersJson } from '../request/data-request.ts';
import type { ApiRequest } from '../request/parse-request.ts';
import { requireEmbedLimits } from '../request/range.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { DataConfig } from '../settings/settings.ts';
import type { SqlText } from '../sql/sql.ts';
import type { Statements } from '../sql/statements.ts';
import type { Outcome } from './outcome.ts';
import type { RoleSettings } from './role-settings.ts';
import { limitsRowCount, requireRowCount } from './row-count.ts';
import type { Isolation, RequestSettings, Setting } from './settings.ts';

/** A statement with its values. */
interface BoundStatement {
  text: string;
  values: readonly RawValue[];
}

/** The transaction that a request runs in the database. */
export interface Transaction {
  settings: RequestSettings;
  /**
   * Generation of the schema cache that the statements were planned with. A prepared statement keeps the parameter
   * types from when it was parsed, even if the columns have changed since, so it must not be reused for another
   * generation.
   */
  generation: number;
  /** A function without arguments that is called first. It rejects the request by raising an error. */
  preRequest?: { schema: string | undefined; name: string } | undefined;
  /** A write whose rows the response does not need. It runs before the main statement. */
  write?: BoundStatement | undefined;
  /**
   * Returns one row with the columns of `MAIN_COLUMNS` or, with `explains`, the lines of a plan (`EXPLAIN`). Its scope
   * is the role and the first schema of the search path. A read with a `latency` may share a flush with other requests.
   */
  main: BoundStatement & { explains?: boolean; latency?: StatementLatency | undefined };
  /** Returns the planner's estimate of the row count as JSON, for `Outcome.estimatedCount`. */
  estimate?: BoundStatement | undefined;
  isReadOnly: boolean;
  /**
   * Whether the request, or a trigger, may call functions, which may change settings of the session. True for all
   * writes.
   */
  runsFunctions?: boolean;
  /** Whether the called functions may run more than once, because they are declared stable or immutable. */
  isRepeatable?: boolean | undefined;
  isolation?: Isolation | undefined;
  /** The client that the pool's fair sharing counts the connection for. Undefined exempts the transaction from it. */
  holder?: ShareHolder | undefined;
  /**
   * How the transaction ends. `implicit`: it is committed in the same flush. `after-check`: `check` runs before the
   * commit; if it returns an error, the transaction is rolled back and the error thrown. `rollback`: deferred
   * constraints are checked, then the transaction is rolled back.
   */
  ending:
    | { kind: 'implicit' }
    | { kind: 'after-check'; check: (outcome: Outcome) => Error | undefined }
    | { kind: 'rollback'; check?: (outcome: Outcome) => Error | undefined };
}

/** The properties of the instance that apply to each transaction. */
interface TransactionDefaults {
  config: Pick<DataConfig, 'preRequest' | 'appSettings' | 'transactionEnd'>;
  cache: Pick<SchemaCache, 'generation'>;
  roleSettings: RoleSettings;
  /** Search paths by exposed schema. */
  searchPaths: ReadonlyMap<string, readonly string[]>;
}

/** The cached part of a transaction. */
interface Prepared {
  plan: ExecutionPlan;
  statements: Statements;
}

/**
 * The bind stage: binds the values of a request to its statements, and adds the settings of its caller.
 * @throws PGRST103 if the limit of an embed is negative
 */
export function bindTransaction(
  request: ApiRequest,
  { plan, statements }: Prepared,
  caller: Caller,
  { config, cache, roleSettings, searchPaths }: TransactionDefaults,
): Transaction {
  const { http, profile, preferences } = request;
  const values = valuesOf(request, plan);
  const { write, main, estimate, latency } = statements;
  const ofRole = roleSettings.of(caller.role);
  const { isReadOnly, functionSettings, isolation = ofRole.isolation } = accessOf(plan);
  return {
    settings: {
      searchPath: searchPaths.get(profile.schema) ?? [profile.schema],
      roleSettings: ofRole.settings,
      role: caller.role,
      claims: caller.claims,
      method: http.method,
      path: http.path,
      headers: headersJson(http.headers),
      cookies: cookiesJson(http.headers),
      timezone: preferences.timezone,
      functionSettings,
      appSettings: config.appSettings,
    },
    generation: cache.generation,
    preRequest: config.preRequest,
    write: write && boundStatement(write, values),
    main: {
      text: main.text,
      values: bind(main.slots, values),
      explains: plan.kind !== 'describe' && plan.explains,
      latency,
    },
    estimate: estimate && boundStatement(estimate, values),
    isReadOnly,
    runsFunctions: plan.kind === 'call',
    isRepeatable: plan.kind === 'call' ? plan.call.function.volatility !== 'volatile' : undefined,
    isolation,
    holder: { account: caller.account, address: http.clientAddress },
    ending: endingOf(request, plan, config.transactionEnd.rollsBack),
  };
}

/** Returns the SQL of a transaction in execution order, without values and settings. */
export function textsOf({ write, main, estimate }: Transaction): string[] {
  return [write, main, estimate].flatMap((statement) => (statement === undefined ? [] : [statement.text]));
}

function boundStatement({ text, slots }: SqlText, values: readonly RawValue[]): BoundStatement {
  return { text, values: bind(slots, values) };
}

/** Whether a plan runs in a read-only transaction. */
export function isReadOnly(plan: ExecutionPlan): boolean {
  return accessOf(plan).isReadOnly;
}

interface Access {
  isReadOnly: boolean;
  isolation?: Isolation | undefined;
  functionSettings: readonly Setting[];
}

const READ: Access = { isReadOnly: true, functionSettings: [] };
const WRITE: Access = { isReadOnly: false, functionSettings: [] };

function accessOf(plan: ExecutionPlan): Access {
  switch (plan.kind) {
    case 'call':
      return plan.access;
    case 'read':
    case 'describe':
      return READ;
    default:
      return WRITE;
  }
}

/** Returns the values by slot: those of the query, the limit, the offset, and those of the body. */
function valuesOf(request: ApiRequest, plan: ExecutionPlan): RawValue[] {
  if (plan.kind === 'describe') return [request.profile.schema];
  const { query, range } = request;
  if (request.kind !== 'read') requireEmbedLimits(query);
  const values: RawValue[] = parametersOf(query);
  values.push(String(range.limit), String(range.offset));
  if (request.kind === 'write' && request.rows !== undefined) values.push(request.rows.json);
  if (request.kind === 'call' && plan.kind === 'call')
    values.push(...callValues(plan.call, request.arguments));
  return values;
}

/** A read-only transaction has nothing to roll back, so it always ends implicitly. */
function endingOf(
  { preferences }: ApiRequest,
  plan: ExecutionPlan,
  rollsBack: boolean,
): Transaction['ending'] {
  if (isReadOnly(plan)) return { kind: 'implicit' };
  const check = limitsRowCount(plan, preferences) ? rowCountCheck(plan, preferences) : undefined;
  const isRollback = preferences.tx === undefined ? rollsBack : preferences.tx === 'rollback';
  if (isRollback) return { kind: 'rollback', ...(check && { check }) };
  return check === undefined ? { kind: 'implicit' } : { kind: 'after-check', check };
}

function rowCountCheck(plan: ExecutionPlan, preferences: ApiRequest['preferences']) {
  return ({ pageCount }: Outcome): Error | undefined => {
    try {
      requireRowCount(plan, preferences, pageCount);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  };
}
