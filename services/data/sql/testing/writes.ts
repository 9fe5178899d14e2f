/** Writes to the studio database. Each one is rolled back, so that none affects another. */
import type { Transaction } from '@greenroom/postgres';
import { planRead } from '../../plan/read-plan.ts';
import { bind, parametersOf, slotsOf } from '../../plan/slots.ts';
import { planWrite, WRITTEN, type WritePlan } from '../../plan/write-plan.ts';
import type { Query } from '../../query/ast.ts';
import { parseQuery } from '../../query/parse-query.ts';
import { type JsonBody, parseBody } from '../../request/body.ts';
import type { WriteKind } from '../../request/method.ts';
import type { Preferences } from '../../request/preferences.ts';
import { runAtOnce } from '../../request/slices.ts';
import { keyOf, type SchemaCache } from '../../schema-cache/schema-cache.ts';
import { Studio } from '../../testing/studio/studio.ts';
import type { SqlText } from '../sql.ts';
import { type WriteOptions, writeStatement } from '../write.ts';

/** A write, as a request says it. */
export interface TestWrite extends Partial<WriteOptions>, Partial<Preferences> {
  kind: WriteKind;
  relation: string;
  /** The query string. */
  query?: string;
  /** JSON as it is sent, or a value to make it of. None is the empty object. */
  body?: unknown;
  role?: string;
  /** SQL that is run before it, in the same transaction. */
  before?: string;
  /** A query with one value, after it; its name is `after` in the answer. */
  after?: string;
  allowsAggregates?: boolean;
}

/** The row of the statement, as numbers and JSON. */
export interface WriteResult {
  total: number | null;
  page: number;
  inserted: number | null;
  location: string | null;
  status: string | null;
  body: unknown;
  after: unknown;
}

/** A plan, and its statement with all values. */
export interface PlannedTestWrite extends SqlText {
  plan: WritePlan;
  values: string[];
}

interface Row {
  total_count: string | null;
  page_count: string;
  inserted_count: string | null;
  location: string | null;
  response_status: string | null;
  body: unknown;
}

/** The studio database to write to. */
export class Writes extends Studio {
  /** The statement of a write. */
  plan(write: TestWrite): PlannedTestWrite {
    const { kind, relation, query = '', body = {} } = write;
    const parsed = parseQuery(query);
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const action = { kind, relation };
    const read = runAtOnce(parseBody({ action, contentType: undefined, bytes, columns: parsed.columns }));
    return planTestWrite(this.cache, { schema: 'studio', name: relation }, write, parsed, read as JsonBody);
  }

  /** Runs it and undoes it. */
  async write(write: TestWrite): Promise<WriteResult> {
    const { text, values } = this.plan(write);
    let result: WriteResult | undefined;
    const rollback = new Error('undone');
    const work = this.client.transaction(async (tx) => {
      result = await runWrite(tx, write, { text, values });
      throw rollback;
    });
    await work.catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
    if (result === undefined) throw new Error('no answer');
    return result;
  }
}

/** Plans a write and the read of its rows like a request. */
export function planTestWrite(
  cache: SchemaCache,
  target: { schema: string; name: string },
  write: Omit<TestWrite, 'relation'>,
  query: Query,
  body: (Pick<JsonBody, 'columns' | 'isArray' | 'rowCount'> & { json?: Buffer }) | undefined,
): PlannedTestWrite {
  const { kind, resolution, missing, format = { kind: 'json' }, count, allowsAggregates = false } = write;
  const relation = cache.relations.get(keyOf(target));
  if (relation === undefined) throw new Error(`no relation ${target.name}`);
  const slots = slotsOf(query);
  const node = planRead(query, cache, { relation, cte: WRITTEN }, { slots, isWrite: true, allowsAggregates });
  const preferences = { resolution, missing, return: write.return };
  const plan = planWrite({ kind, relation, query, body, preferences }, cache, slots);
  const statement = writeStatement(plan, node, { format, count });
  const values = [...parametersOf(query), '', '', body?.json?.toString() ?? '{}'];
  return { ...statement, plan, values: bind(statement.slots, values) };
}

async function runWrite(
  tx: Transaction,
  { role, before, after }: TestWrite,
  statement: { text: string; values: string[] },
): Promise<WriteResult> {
  if (before !== undefined) await tx.query({ text: `do $before$ begin ${before}; end $before$` });
  if (role !== undefined) await tx.query({ text: `set local role ${role}` });
  const [row, ...others] = await tx.query<Row>(statement);
  if (row === undefined || others.length > 0) throw new Error('not one row');
  if (role !== undefined) await tx.query({ text: 'reset role' });
  const [check] =
    after === undefined ? [] : await tx.query<{ after: unknown }>({ text: `select (${after}) as after` });
  return {
    total: row.total_count === null ? null : Number(row.total_count),
    page: Number(row.page_count),
    inserted: row.inserted_count === null ? null : Number(row.inserted_count),
    location: row.location,
    status: row.response_status,
    body: row.body,
    after: check?.after,
  };
}
