/** Reads of the studio database by a query string. */
import { planRead, type ReadOptions } from '../../plan/read-plan.ts';
import { bind, parametersOf, slotsOf } from '../../plan/slots.ts';
import type { Query } from '../../query/ast.ts';
import { parseQuery } from '../../query/parse-query.ts';
import { Studio } from '../../testing/studio/studio.ts';
import type { SqlText } from '../sql.ts';
import { readStatement, type StatementOptions } from '../statement.ts';

/** The row of a statement, as pg reads it. */
interface StatementRow {
  total_count: string | null;
  page_count: string;
  response_headers: string | null;
  response_status: string | null;
  body: unknown;
}

/** How a test reads. */
export interface TestRead extends Partial<StatementOptions>, ReadOptions {
  relation?: string;
  rootLimit?: number;
  rootOffset?: number;
}

/** The studio database to read from. */
export class Reads extends Studio {
  /** SQL and values of a query on a relation. */
  plan(query: Query, read: TestRead = {}): SqlText & { values: string[] } {
    const slots = slotsOf(query);
    const { relation = 'films', rootLimit, rootOffset, format = { kind: 'json' }, ...options } = read;
    const node = planRead(
      query,
      this.cache,
      { relation: { schema: 'studio', name: relation }, ...(read.source && { cte: read.source.name }) },
      {
        slots,
        allowsAggregates: true,
        ...(rootLimit !== undefined && { limit: slots.count }),
        ...(rootOffset !== undefined && { offset: slots.count + 1 }),
        ...options,
      },
    );
    const statement = readStatement(node, { ...options, format });
    const values = [...parametersOf(query), String(rootLimit ?? ''), String(rootOffset ?? '')];
    return { ...statement, values: bind(statement.slots, values) };
  }

  /** Runs the statement of a query string and returns its row. */
  async read(queryString: string, read: TestRead = {}): Promise<StatementRow> {
    const { text, values } = this.plan(parseQuery(queryString), read);
    const [row] = await this.client.query<StatementRow>({ text, values });
    if (row === undefined) throw new Error('no row');
    return row;
  }
}
