/** Reads the catalogs and makes a schema cache of them: one transaction, one flush. */
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

/** What is exposed, and how. */
export interface SchemaCacheSettings {
  /** Exposed schemas. Ones that do not exist are as if they were empty. */
  schemas: readonly string[];
  /** Schemas of views that exposed ones may be built on. */
  extraSearchPath: readonly string[];
  /** Settings of functions that hold for the whole transaction; {@link DEFAULT_HOISTED_SETTINGS} where not given. */
  hoistedSettings?: readonly string[];
}

/** Settings, and which load it is. */
interface LoadOptions extends SchemaCacheSettings {
  generation: number;
}

/** As the reference implementation has them. */
const DEFAULT_HOISTED_SETTINGS: readonly string[] = [
  'statement_timeout',
  'plan_filter.statement_cost_limit',
  'default_transaction_isolation',
];

/** One look at all catalogs, without a way to change anything. */
const READ_ONLY: Statement = { text: 'set transaction isolation level repeatable read, read only' };
/** Names of types are then printed with their schema. */
const EMPTY_SEARCH_PATH: Statement = { text: "select set_config('search_path', '', true)" };

/** Loads the schema cache. Needs no privilege but to log in. Throws what the database throws. */
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

/** Each query and its rows are one module's; the database gives rows without a type. */
function rowsOf<Row>(rows: Record<string, unknown>[] | undefined): Row[] {
  return (rows ?? []) as unknown as Row[];
}
