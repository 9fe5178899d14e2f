/** A database with functions to call, and calls of them from the parts of a request to the row of its statement. */
import { readFile } from 'node:fs/promises';
import { openRawPool, type RawPool, type RawValue } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import type { Outcome } from '../../execute/outcome.ts';
import { runTransaction } from '../../execute/run.ts';
import { callAccess } from '../../plan/call-access.ts';
import { type CallPlan, callValues, planCall, readTarget } from '../../plan/call-plan.ts';
import { findFunction } from '../../plan/find-function.ts';
import { planRead } from '../../plan/read-plan.ts';
import { bind, parametersOf, slotsOf } from '../../plan/slots.ts';
import { parseQuery } from '../../query/parse-query.ts';
import { type Arguments, argumentsOf } from '../../request/arguments.ts';
import { parseBody } from '../../request/body.ts';
import { parseMediaType } from '../../request/media-type.ts';
import { runAtOnce } from '../../request/slices.ts';
import { loadSchemaCache } from '../../schema-cache/load.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';
import type { BodyFormat } from '../body.ts';
import { callSource, resultShape } from '../call.ts';
import type { SqlText } from '../sql.ts';
import { type ExplainOptions, explainedReadStatement, readStatement } from '../statement.ts';

/** A call by a test. */
export interface TestCall {
  schema?: string;
  /** GET where there is no body. */
  method?: 'GET' | 'HEAD' | 'POST';
  /** The query string. */
  query?: string;
  body?: string | Buffer;
  /** JSON where not given. */
  contentType?: string;
  format?: BodyFormat;
  count?: 'exact' | 'planned' | 'estimated';
  rootLimit?: number;
  rootOffset?: number;
  maxRows?: number;
  /** As the method and the function say where not given. */
  isReadOnly?: boolean;
  explain?: ExplainOptions;
}

/** A call that was planned. */
interface PlannedCall extends SqlText {
  plan: CallPlan;
  values: readonly RawValue[];
  isReadOnly: boolean;
}

/** A database with the schemas `studio` and `annex`. */
export class Calls {
  readonly cache: SchemaCache;
  readonly #database: TestDatabase;
  readonly #pool: RawPool;

  private constructor(database: TestDatabase, cache: SchemaCache) {
    this.#database = database;
    this.cache = cache;
    this.#pool = openRawPool({ url: database.authenticatorUrl, max: 1, applicationName: 'test calls' });
  }

  static async open(): Promise<Calls> {
    const database = await createTestDatabase();
    for (const file of ['./studio.sql', './calls.sql']) {
      const text = await readFile(new URL(file, import.meta.url), 'utf8');
      await database.admin.query({ text: `do $file$ begin execute $text$${text}$text$; end $file$` });
    }
    const cache = await loadSchemaCache(database.auth, {
      schemas: ['studio', 'annex'],
      extraSearchPath: ['public'],
      generation: 1,
    });
    return new Calls(database, cache);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#database.drop();
  }

  /** Asks the database as one who may do anything; the first column of the first row. */
  async ask(text: string): Promise<unknown> {
    const [row] = await this.#database.admin.query<Record<string, unknown>>({ text });
    return Object.values(row ?? {})[0];
  }

  /** SQL and values of a call. */
  plan(name: string, call: TestCall = {}): PlannedCall {
    const query = parseQuery(call.query ?? '');
    const slots = slotsOf(query);
    const type = parseMediaType(call.contentType ?? 'application/json');
    const given = argumentsIn(name, call);
    const chosen = findFunction(this.cache, { schema: call.schema ?? 'studio', name }, given, type);
    const plan = planCall(chosen, given, slots);
    const { rootLimit, rootOffset, maxRows, count, format = { kind: 'json' }, explain } = call;
    const node = planRead(query, this.cache, readTarget(chosen.function), {
      slots,
      allowsAggregates: true,
      maxRows,
      ...(rootLimit !== undefined && { limit: slots.count }),
      ...(rootOffset !== undefined && { offset: slots.count + 1 }),
    });
    const options = { format, shape: resultShape(chosen.function), count, source: callSource(plan) };
    const statement =
      explain === undefined ? readStatement(node, options) : explainedReadStatement(node, options, explain);
    const limits = [rootLimit, rootOffset].map((number) => String(number ?? ''));
    const values = [...parametersOf(query), ...limits, ...callValues(plan, given)];
    const { isReadOnly } = { ...callAccess(chosen.function, methodOf(call)), ...call };
    return { ...statement, plan, values: bind(statement.slots, values), isReadOnly };
  }

  /** What the statement of a call answers; everything is committed. */
  async call(name: string, call: TestCall = {}): Promise<Outcome> {
    const { text, values, isReadOnly } = this.plan(name, call);
    return runTransaction(this.#pool, {
      generation: 1,
      settings: {
        searchPath: [call.schema ?? 'studio', 'public'],
        role: 'authenticated',
        claims: '{}',
        method: methodOf(call),
        path: `/rpc/${name}`,
        headers: '{}',
        cookies: '{}',
      },
      main: { text, values },
      isReadOnly,
      runsFunctions: true,
      ending: { kind: 'implicit' },
    });
  }

  /** The lines of a query plan. */
  async explain(name: string, call: TestCall = {}): Promise<string> {
    const explain: ExplainOptions = { format: 'text', options: ['verbose'] };
    const { text, values } = this.plan(name, { ...call, explain });
    const rows = await this.#database.admin.query<{ 'QUERY PLAN': string }>({ text, values: [...values] });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }
}

function methodOf({ method, body }: TestCall) {
  return method ?? (body === undefined ? 'GET' : 'POST');
}

/** The arguments of a call as a request would have them. */
function argumentsIn(name: string, call: TestCall): Arguments {
  const method = methodOf(call);
  const action = { kind: 'call', function: name, method, isHead: method === 'HEAD' } as const;
  const query = parseQuery(call.query ?? '');
  const bytes = Buffer.from(call.body ?? '');
  const body = runAtOnce(parseBody({ action, contentType: call.contentType, bytes, columns: query.columns }));
  return argumentsOf(action, query.parameters, body);
}
