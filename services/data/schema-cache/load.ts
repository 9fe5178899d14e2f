/** Builds a schema cache from the catalogs, in one transaction and one flush. */
import type { Database, Statement } from '@greenroom/postgres';
import {
  type ComputedRelationshipRow,
  computedRelationshipsQuery,
  readComputedRelationships,
} from './computed-relationships.ts';
import { type FunctionRow, functionsQuery, readFunctions } from './functions.ts';
import { type KeyRow, keysQuery, readKeys } from './keys.ts';
import { type MediaHandlerRow, mediaHandlersQuery, readMediaHandlers } from './media-handlers.ts';
import { type RelationRow, readRelations, relationsQuery } from './relations.ts';
import { deriveRelationships } from './relationships.ts';
import { type RepresentationRow, readRepresentations, representationsQuery } from './representations.ts';
import type { SchemaCache } from './schema-cache.ts';
import { traceViews, type ViewRow, viewsQuery } from './view-columns.ts';
import { collectPrimaryKeys } from './view-keys.ts';

/** The settings that determine the contents of the schema cache. */
export interface SchemaCacheSettings {
  /** Exposed schemas. A schema that does not exist counts as empty. */
  schemas: readonly string[];
  /** Schemas of views that exposed views may be built on. */
  extraSearchPath: readonly string[];
  /** Function settings that apply to the whole transaction; {@link DEFAULT_HOISTED_SETTINGS} by default. */
  hoistedSettings?: readonly string[];
}

/** Options of {@link loadSchemaCache}. */
interface LoadOptions extends SchemaCacheSettings {
  /** Number of the load. */
  generation: number;
}

/** Same as in PostgREST. */
const DEFAULT_HOISTED_SETTINGS: readonly string[] = [
  'statement_timeout',
  'plan_filter.statement_cost_limit',
  'default_transaction_isolation',
];

/** All queries see the same snapshot of the catalogs, and none can change anything. */
const READ_ONLY: Statement = { text: 'set transaction isolation level repeatable read, read only' };
/** With an empty search path, PostgreSQL prints the names of types with their schema. */
const EMPTY_SEARCH_PATH: Statement = { text: "select set_config('search_path', '', true)" };

/** Loads the schema cache. Requires no privilege except login. Throws the errors of the database. */
export async function loadSchemaCache(database: Database, options: LoadOptions): Promise<SchemaCache> {
  const { schemas, extraSearchPath, generation, hoistedSettings = DEFAULT_HOISTED_SETTINGS } = options;
  const [, , relationRows, keyRows, viewRows, functionRows, computedRows, castRows, mediaRows] =
    await database.transaction((tx) =>
      tx.commit([
        READ_ONLY,
        EMPTY_SEARCH_PATH,
        relationsQuery(schemas),
        keysQuery(),
        viewsQuery(schemas, extraSearchPath),
        functionsQuery(schemas),
        computedRelationshipsQuery(),
        representationsQuery(),
        mediaHandlersQuery(schemas),
      ]),
    );
  const { primaryKeys, foreignKeys } = readKeys(rowsOf<KeyRow>(keyRows));
  const views = traceViews(rowsOf<ViewRow>(viewRows));
  const keysByRelation = collectPrimaryKeys(primaryKeys, views);
  const relations = readRelations(rowsOf<RelationRow>(relationRows), (key) => keysByRelation.get(key) ?? []);
  const computed = readComputedRelationships(rowsOf<ComputedRelationshipRow>(computedRows));
  return {
    relations,
    relationships: deriveRelationships({ relations, foreignKeys, views, computed }),
    functions: readFunctions(rowsOf<FunctionRow>(functionRows), hoistedSettings),
    representations: readRepresentations(rowsOf<RepresentationRow>(castRows)),
    mediaHandlers: readMediaHandlers(rowsOf<MediaHandlerRow>(mediaRows)),
    generation,
  };
}

/** Assigns the row type: the database returns untyped rows, and each query is in the same module as its row type. */
function rowsOf<Row>(rows: Record<string, unknown>[] | undefined): Row[] {
  return (rows ?? []) as unknown as Row[];
}
