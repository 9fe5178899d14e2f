/** The result of the plan stage. A plan contains slots instead of values, so all requests of one shape share it. */
import type { Negotiated } from '../request/accept.ts';
import type { WriteKind } from '../request/method.ts';
import type { Preferences } from '../request/preferences.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';
import type { CallAccess } from './call-access.ts';
import type { CallPlan } from './call-plan.ts';
import type { LegacyReference } from './embed-path.ts';
import type { ReadNode } from './read-node.ts';
import type { WritePlan } from './write-plan.ts';

/** A planned request. */
export interface RequestPlan {
  /**
   * The input of the SQL stage. It is not cached, because it takes more memory than its SQL and its strings would
   * retain the URL.
   */
  query: QueryPlan;
  /** The input of the execute and respond stages. Cached with the SQL. */
  execution: ExecutionPlan;
}

/** The rows or the metadata that the statements read and write. */
export type QueryPlan = ReadQuery | CallQuery | WriteQuery | DescribeQuery;

/** Describes how the statements of a request are executed and how their outcome is converted to a response. */
export type ExecutionPlan = ReadExecution | CallExecution | WriteExecution | DescribeExecution;

interface RowsQuery {
  /** The rows of the response. */
  node: ReadNode;
  negotiated: Negotiated;
  count: Preferences['count'];
}

/** The rows of a relation. */
export interface ReadQuery extends RowsQuery {
  kind: 'read';
  isHead: boolean;
}

/** The rows that a function returns. */
export interface CallQuery extends RowsQuery {
  kind: 'call';
  isHead: boolean;
  call: CallPlan;
}

/** The rows that a write changes. */
export interface WriteQuery extends RowsQuery {
  kind: 'write';
  write: WritePlan;
}

/** The privileges of the role, for the OpenAPI document of a schema. */
interface DescribeQuery {
  kind: 'describe';
  schema: string;
  mode: 'follow-privileges' | 'ignore-privileges';
}

interface RowsExecution {
  negotiated: Negotiated;
  /** Whether the response is an execution plan of PostgreSQL instead of rows: `application/vnd.pgrst.plan`. */
  explains: boolean;
  legacyReferences: readonly LegacyReference[];
}

/** Execution of a {@link ReadQuery}. */
export interface ReadExecution extends RowsExecution {
  kind: 'read';
  relation: Relation;
  isHead: boolean;
}

/** Execution of a {@link CallQuery}. */
export interface CallExecution extends RowsExecution {
  kind: 'call';
  call: CallPlan;
  access: CallAccess;
  isHead: boolean;
}

/** Execution of a {@link WriteQuery}. */
export interface WriteExecution extends RowsExecution {
  kind: WriteKind;
  relation: Relation;
  /** Whether an insert detects duplicates. */
  hasArbiter: boolean;
}

/** Execution of a {@link DescribeQuery}. */
export interface DescribeExecution {
  kind: 'describe';
  isHead: boolean;
}
