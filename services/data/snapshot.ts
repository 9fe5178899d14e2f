/** Everything that requests are answered by. It never changes: when settings or the schema do, there is another one. */

import { LRUCache } from 'lru-cache';
import type { CallerReader } from './auth/caller.ts';
import type { RoleSettings } from './execute/role-settings.ts';
import type { ExecutionPlan } from './plan/request-plan.ts';
import { PlanCache } from './plan-cache.ts';
import type { SchemaCache } from './schema-cache/schema-cache.ts';
import type { DataConfig } from './settings/settings.ts';
import type { Statements } from './sql/statements.ts';

/** One for each schema and set of privileges that is asked about; a large one has megabytes. */
const MOST_DOCUMENTS = 16;

/** The plan and the SQL of all requests of one shape. */
export interface PreparedRequest {
  plan: ExecutionPlan;
  statements: Statements;
}

/** Settings, schema, and values derived from them. */
export interface Snapshot {
  config: DataConfig;
  cache: SchemaCache;
  readCaller: CallerReader;
  roleSettings: RoleSettings;
  plans: PlanCache<PreparedRequest>;
  /** Where clients reach the service, as far as nothing else is configured. */
  publicUrl: string;
  /** OpenAPI documents, by what they are about. */
  documents: LRUCache<string, string>;
  /** By exposed schema. The same list each time, since its text is remembered by it. */
  searchPaths: ReadonlyMap<string, readonly string[]>;
}

/** Makes a snapshot. */
export function createSnapshot(parts: Omit<Snapshot, 'plans' | 'documents' | 'searchPaths'>): Snapshot {
  const { schemas, extraSearchPath } = parts.config;
  const searchPaths = new Map(schemas.map((schema) => [schema, [schema, ...extraSearchPath]]));
  return {
    ...parts,
    plans: new PlanCache(),
    documents: new LRUCache({ max: MOST_DOCUMENTS }),
    searchPaths,
  };
}
