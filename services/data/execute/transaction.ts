/** The transaction of a request: its statements with their values, and everything that they run under. */

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

/** What a request runs in the database. */
export interface Transaction {
  settings: RequestSettings;
  /**
   * Of the schema cache that it was made by. A prepared statement keeps the types that its parameters got when it was
   * parsed, whatever has become of the columns since.
   */
  generation: number;
  /** A function without arguments that is called first, and may refuse. */
  preRequest?: { schema: string | undefined; name: string } | undefined;
  /** A write whose rows the answer does not need, before the main statement. */
  write?: BoundStatement | undefined;
  /**
   * Returns one row of `MAIN_COLUMNS`, or, with `explains`, the lines of a plan (`EXPLAIN`). Its scope is the role and the
   * first schema of the search path. With a `latency`, a read may share a write with others.
   */
  main: BoundStatement & { explains?: boolean; latency?: StatementLatency | undefined };
  /** Asks PostgreSQL how many rows it expects, in JSON: `Outcome.estimatedCount`. */
  estimate?: BoundStatement | undefined;
  isReadOnly: boolean;
  /** A function is called, or one may be by a trigger: it may leave settings behind. True for all writes. */
  runsFunctions?: boolean;
  /** The functions that are called may be run more than once: they are declared as stable or immutable. */
  isRepeatable?: boolean | undefined;
  isolation?: Isolation | undefined;
  /** The client that it runs for. Without one, it may keep as many connections busy as there are. */
  holder?: ShareHolder | undefined;
  /**
   * How the transaction ends. `implicit`: it is committed in the same write. `after-check`: the row is checked first, and
   * the error that `check` returns is thrown after everything has been undone. `rollback`: everything is undone, but only
   * after deferred constraints have been checked.
   */
  ending:
    | { kind: 'implicit' }
    | { kind: 'after-check'; check: (outcome: Outcome) => Error | undefined }
    | { kind: 'rollback'; check?: (outcome: Outcome) => Error | undefined };
}

/** What the instance adds to each transaction. */
interface TransactionDefaults {
  config: Pick<DataConfig, 'preRequest' | 'appSettings' | 'transactionEnd'>;
  cache: Pick<SchemaCache, 'generation'>;
  roleSettings: RoleSettings;
  /** By exposed schema. */
  searchPaths: ReadonlyMap<string, readonly string[]>;
}

/** The cached part of a transaction. */
interface Prepared {
  plan: ExecutionPlan;
  statements: Statements;
}

/**
 * The bind stage: binds the values of a request to its statements, and adds the settings of its caller.
 * @throws PGRST103 where the limit of an embed is negative
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

/** The SQL of a transaction in the order in which it runs, without values and settings. */
export function textsOf({ write, main, estimate }: Transaction): string[] {
  return [write, main, estimate].flatMap((statement) => (statement === undefined ? [] : [statement.text]));
}

function boundStatement({ text, slots }: SqlText, values: readonly RawValue[]): BoundStatement {
  return { text, values: bind(slots, values) };
}

/** Whether the transaction of a plan changes nothing. */
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

/** By slot: the values of the query, the limit, the offset, and those of the body. */
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

/** A read has nothing to undo. */
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
