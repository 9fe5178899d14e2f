/** What the plan stage makes of a request. Values are slots, so a plan holds for all requests of a shape. */
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
  /** For the SQL only, so it is not cached: it takes more memory than its SQL, and names in it refer to the URL. */
  query: QueryPlan;
  /** For executing the statements and for the answer. Cached with the SQL. */
  execution: ExecutionPlan;
}

/** The rows or the metadata that the statements read and write. */
export type QueryPlan = ReadQuery | CallQuery | WriteQuery | DescribeQuery;

/** How the statements of a request are executed, and how their outcome becomes an answer. */
export type ExecutionPlan = ReadExecution | CallExecution | WriteExecution | DescribeExecution;

interface RowsQuery {
  /** The rows of the answer. */
  node: ReadNode;
  negotiated: Negotiated;
  count: Preferences['count'];
}

/** Rows of a relation. */
export interface ReadQuery extends RowsQuery {
  kind: 'read';
  isHead: boolean;
}

/** Rows that a function returns. */
export interface CallQuery extends RowsQuery {
  kind: 'call';
  isHead: boolean;
  call: CallPlan;
}

/** Rows that are written. */
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
  /** Whether the answer is a plan of PostgreSQL instead of rows: `application/vnd.pgrst.plan`. */
  explains: boolean;
  legacyReferences: readonly LegacyReference[];
}

/** See {@link ReadQuery}. */
export interface ReadExecution extends RowsExecution {
  kind: 'read';
  relation: Relation;
  isHead: boolean;
}

/** See {@link CallQuery}. */
export interface CallExecution extends RowsExecution {
  kind: 'call';
  call: CallPlan;
  access: CallAccess;
  isHead: boolean;
}

/** See {@link WriteQuery}. */
export interface WriteExecution extends RowsExecution {
  kind: WriteKind;
  relation: Relation;
  /** Whether an insert can meet a duplicate. */
  hasArbiter: boolean;
}

/** See {@link DescribeQuery}. */
export interface DescribeExecution {
  kind: 'describe';
  isHead: boolean;
}
