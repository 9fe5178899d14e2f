/** The immutable state that requests are handled with. A change of the settings or the schema creates a new snapshot. */

import { LRUCache } from 'lru-cache';
import type { CallerReader } from './auth/caller.ts';
import type { RoleSettings } from './execute/role-settings.ts';
import type { ExecutionPlan } from './plan/request-plan.ts';
import { PlanCache } from './plan-cache.ts';
import type { SchemaCache } from './schema-cache/schema-cache.ts';
import type { DataConfig } from './settings/settings.ts';
import type { Statements } from './sql/statements.ts';

/** The cache has one document for each requested schema and set of privileges. A large document has megabytes. */
const MAX_DOCUMENTS = 16;

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
  /** URL at which clients reach the service, unless another one is configured. */
  publicUrl: string;
  /** OpenAPI documents by schema and privileges. */
  documents: LRUCache<string, string>;
  /** Search path of each exposed schema. Requests share the list objects because they are cache keys of their SQL texts. */
  searchPaths: ReadonlyMap<string, readonly string[]>;
}

export function createSnapshot(parts: Omit<Snapshot, 'plans' | 'documents' | 'searchPaths'>): Snapshot {
  const { schemas, extraSearchPath } = parts.config;
  const searchPaths = new Map(schemas.map((schema) => [schema, [schema, ...extraSearchPath]]));
  return {
    ...parts,
    plans: new PlanCache(),
    documents: new LRUCache({ max: MAX_DOCUMENTS }),
    searchPaths,
  };
}
