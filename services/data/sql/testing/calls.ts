/** Calls of the functions of the studio database, from the parts of a request to the row of its statement. */
import type { RawValue } from '@greenroom/postgres';
import type { Outcome } from '../../execute/outcome.ts';
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
import { Studio } from '../../testing/studio/studio.ts';
import type { BodyFormat } from '../body.ts';
import { callSource, resultShape } from '../call.ts';
import type { SqlText } from '../sql.ts';
import { type ExplainOptions, explainedReadStatement, readStatement } from '../statement.ts';

/** A call by a test. */
export interface TestCall {
  schema?: string;
  /** GET by default if there is no body. */
  method?: 'GET' | 'HEAD' | 'POST';
  /** The query string. */
  query?: string;
  body?: string | Buffer;
  /** JSON by default. */
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

/** The studio database to call functions of. */
export class Calls extends Studio {
  /** Runs a query as superuser and returns the first column of its first row. */
  async queryValue(text: string): Promise<unknown> {
    const [row] = await this.database.admin.query<Record<string, unknown>>({ text });
    return Object.values(row ?? {})[0];
  }

  /** SQL and values of a call. */
  plan(name: string, call: TestCall = {}): PlannedCall {
    const query = parseQuery(call.query ?? '');
    const slots = slotsOf(query);
    const type = parseMediaType(call.contentType ?? 'application/json');
    const args = argumentsIn(name, call);
    const chosen = findFunction(this.cache, { schema: call.schema ?? 'studio', name }, args, type);
    const plan = planCall(chosen, args, slots);
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
    const values = [...parametersOf(query), ...limits, ...callValues(plan, args)];
    const { isReadOnly } = { ...callAccess(chosen.function, methodOf(call)), ...call };
    return { ...statement, plan, values: bind(statement.slots, values), isReadOnly };
  }

  /** Runs the statement of a call, commits it, and returns its row. */
  async call(name: string, call: TestCall = {}): Promise<Outcome> {
    const { text, values, isReadOnly } = this.plan(name, call);
    return this.run({
      role: 'authenticated',
      searchPath: [call.schema ?? 'studio', 'public'],
      method: methodOf(call),
      path: `/rpc/${name}`,
      main: { text, values },
      isReadOnly,
      runsFunctions: true,
    });
  }

  /** The lines of a query plan. */
  async explain(name: string, call: TestCall = {}): Promise<string> {
    const explain: ExplainOptions = { format: 'text', options: ['verbose'] };
    const { text, values } = this.plan(name, { ...call, explain });
    const rows = await this.database.admin.query<{ 'QUERY PLAN': string }>({ text, values: [...values] });
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
