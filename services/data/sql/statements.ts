/** The SQL stage: converts the plan of a request to the text of its statements. */
import { StatementLatency } from '@greenroom/postgres';
import { accessibleStatement } from '../openapi/accessible.ts';
import type { CallQuery, QueryPlan, ReadQuery, WriteQuery } from '../plan/request-plan.ts';
import { callSource, resultShape } from './call.ts';
import type { SqlText } from './sql.ts';
import {
  explainedReadStatement,
  plannedCountStatement,
  readStatement,
  type StatementOptions,
} from './statement.ts';
import { explainedWriteStatement, writeStatements } from './write.ts';

/** The statements of a request, without values. They run in one transaction, in this order. */
export interface Statements {
  /** An insert whose rows the response does not need. It runs before the main statement. */
  write?: SqlText | undefined;
  /** Returns one row with the columns of `MAIN_COLUMNS`, or the lines of a plan for EXPLAIN. */
  main: SqlText;
  /** Returns the planner's estimate of the row count. */
  estimate?: SqlText | undefined;
  /** Latency of the main statement, if it may be sent in one flush with statements of other requests. */
  latency?: StatementLatency;
}

/** Returns the statements of a plan. Throws PGRST100 for a name or a type that is invalid in SQL. */
export function statementsOf(plan: QueryPlan): Statements {
  switch (plan.kind) {
    case 'read':
      return readStatements(plan);
    case 'call':
      return callStatements(plan);
    case 'write':
      return statementsOfWrite(plan);
    case 'describe': {
      const { text, values } = accessibleStatement(plan.schema, plan.mode);
      return { main: { text, slots: values.map((_, slot) => slot) } };
    }
  }
}

function readStatements(plan: ReadQuery): Statements {
  const { node, negotiated, count } = plan;
  const { main, latency } = rowsStatement(plan, optionsOf(plan));
  const isEstimated = count === 'planned' || count === 'estimated';
  const explains = negotiated.mediaType.kind === 'plan';
  return { main, latency, estimate: isEstimated && !explains ? plannedCountStatement(node) : undefined };
}

function callStatements(plan: CallQuery): Statements {
  const { call } = plan;
  const source = { source: callSource(call), shape: resultShape(call.function) };
  return rowsStatement(plan, { ...optionsOf(plan), ...source });
}

function optionsOf({ negotiated, count, isHead }: ReadQuery | CallQuery): StatementOptions {
  return { format: isHead ? { kind: 'none' } : negotiated.handler, count };
}

function rowsStatement(
  { node, negotiated: { mediaType } }: ReadQuery | CallQuery,
  options: StatementOptions,
) {
  const main =
    mediaType.kind === 'plan'
      ? explainedReadStatement(node, options, mediaType)
      : readStatement(node, options);
  return { main, latency: new StatementLatency() };
}

function statementsOfWrite({
  write,
  node,
  negotiated: { mediaType, handler },
  count,
}: WriteQuery): Statements {
  const options = { format: handler, count };
  if (mediaType.kind === 'plan') return { main: explainedWriteStatement(write, node, options, mediaType) };
  return writeStatements(write, node, options);
}
