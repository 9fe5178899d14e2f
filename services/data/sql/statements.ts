/** The SQL stage: the plan of a request → the text of its statements. */
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
  /** An insert whose rows the answer does not need, before the main statement. */
  write?: SqlText | undefined;
  /** Returns the one row of `MAIN_COLUMNS` or, explained, the lines of a plan. */
  main: SqlText;
  /** Asks PostgreSQL how many rows it expects. */
  estimate?: SqlText | undefined;
  /** Of the main statement, where it may share a write with others. */
  latency?: StatementLatency;
}

/** Writes the statements of a plan. Throws PGRST100 for a name or a type that cannot be one in SQL. */
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
