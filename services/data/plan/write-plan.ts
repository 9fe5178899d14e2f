/**
 * Plans a write from a query and the columns of the body. Columns of the body must exist, because their values are decoded
 * by type; columns in conditions are not checked, as in reads. The rows of the response are planned as a separate read.
 */
import { failure } from '../errors.ts';
import type { Filter, Query } from '../query/ast.ts';
import type { JsonBody } from '../request/body.ts';
import type { Action, WriteKind } from '../request/method.ts';
import type { Preferences } from '../request/preferences.ts';
import type { Column, QualifiedName, Relation, SchemaCache } from '../schema-cache/schema-cache.ts';
import { findParser, planFilter, planLogic } from './condition-plan.ts';
import type { Condition } from './read-node.ts';
import { bodySlot, type Slots } from './slots.ts';

/** Name of the common table expression with the written rows. The response is read from it. */
export const WRITTEN = 'pgrst_written';

/** The input of {@link planWrite}. */
interface WriteRequest {
  kind: WriteKind;
  relation: Relation;
  query: Query;
  /** Undefined for a delete. */
  body: Pick<JsonBody, 'columns' | 'isArray' | 'rowCount'> | undefined;
  preferences: Pick<Preferences, 'resolution' | 'missing' | 'return'>;
}

/** A planned write. It contains slots instead of values, so all requests of one shape share it. */
export interface WritePlan {
  kind: WriteKind;
  relation: Relation;
  /** The columns to set and the slot of their values. A delete sets no columns. */
  body: WrittenBody;
  /**
   * Columns of the unique index that detects duplicates. Empty if duplicates are not handled; the preference
   * `resolution` is then not applied.
   */
  arbiter: readonly string[];
  /** Only for inserts and PUT. Undefined makes duplicates an error. */
  resolution: Preferences['resolution'];
  /** Conditions, combined by AND, on rows of the relation or, for a PUT, on rows of the body. */
  conditions: readonly Condition[];
  return: 'minimal' | 'headers-only' | 'representation';
}

/** The rows of a body. */
export interface WrittenBody {
  slot: number;
  /** Whether the body is a list of objects instead of one object. */
  isArray: boolean;
  columns: readonly WrittenColumn[];
}

/** A column that a write sets. */
export interface WrittenColumn {
  name: string;
  type: string;
  /** The function that parses the value from JSON, if the type has a domain representation. */
  parse: QualifiedName | undefined;
  /** SQL text from the catalog: the value for an object without the key. Undefined means null. */
  default: string | undefined;
  /** Whether the type is a domain, which may reject null. */
  isDomain: boolean;
}

/**
 * Plans a write.
 * @throws PGRST204 if a column does not exist; for a PUT, PGRST105 if the filters are not exactly those of the
 *   primary key, and PGRST115 if the body lacks the primary key
 */
export function planWrite(request: WriteRequest, cache: SchemaCache, slots: Slots): WritePlan {
  const { kind, relation, query, preferences } = request;
  if (kind === 'put') requireKeyFilters(relation, query);
  const body = planBody(request, cache, slots);
  const arbiter = arbiterOf(request);
  return {
    kind,
    relation,
    body,
    arbiter,
    resolution: resolutionOf(request),
    conditions: planConditions(request, cache, slots),
    return: preferences.return ?? 'minimal',
  };
}

/** Checks the number of written rows. Throws PGRST115 if a PUT did not write the row of its URL. */
export function requireWritten({ kind }: Pick<Action, 'kind'>, rows: number): void {
  if (kind === 'put' && rows !== 1) throw failure('PGRST115');
}

function planBody(
  { kind, relation, body, preferences }: WriteRequest,
  { representations }: SchemaCache,
  slots: Slots,
): WrittenBody {
  const slot = bodySlot(slots);
  if (kind === 'delete') return { slot, isArray: false, columns: [] };
  if (body === undefined) throw new Error(`a body is required to ${kind}`);
  const hasDefaults = preferences.missing === 'default' && kind !== 'put';
  const columns = body.columns.map((name): WrittenColumn => {
    const column = requireColumn(relation, name);
    return {
      name,
      type: column.type,
      parse: findParser(representations, 'json', { column, path: [] }),
      default: (hasDefaults ? column.default : null) ?? undefined,
      isDomain: column.type !== column.baseType,
    };
  });
  if (kind === 'put' && relation.primaryKey.some((name) => !body.columns.includes(name))) {
    throw failure('PGRST115');
  }
  return { slot, isArray: body.isArray, columns };
}

function requireColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name);
  if (column !== undefined) return column;
  throw failure('PGRST204', {
    message: `Could not find the '${name}' column of '${relation.name}' in the schema cache`,
  });
}

/** The filters of a PUT must identify one row: equality for each column of the primary key, and no other condition. */
function requireKeyFilters({ primaryKey }: Relation, { filters, logic }: Query): void {
  const own = rootOf(filters);
  const named = new Set(own.map(({ field }) => field.name));
  const isKey = primaryKey.length === named.size && primaryKey.every((name) => named.has(name));
  const isPlain = own.every(isEquality) && logic.length === 0;
  if (!isKey || !isPlain || primaryKey.length === 0) throw failure('PGRST105');
}

function isEquality({ field, isNegated, operation }: Filter): boolean {
  if (field.path.length > 0 || isNegated || operation.kind !== 'quantifiable') return false;
  return operation.operator === 'eq' && operation.quantifier === undefined;
}

function resolutionOf({ kind, preferences }: WriteRequest): WritePlan['resolution'] {
  if (kind === 'put') return 'merge-duplicates';
  return kind === 'insert' ? preferences.resolution : undefined;
}

function arbiterOf(request: WriteRequest): readonly string[] {
  const { kind, relation, query } = request;
  if (resolutionOf(request) === undefined) return [];
  return (kind === 'insert' ? query.onConflict : undefined) ?? relation.primaryKey;
}

/**
 * Plans the conditions on the written rows. Conditions of embeds only filter the response, and an insert has no
 * existing rows. As in PostgREST, null tests on embeds are not supported here: a name always refers to a column.
 */
function planConditions(
  { kind, relation, query }: WriteRequest,
  { representations }: SchemaCache,
  slots: Slots,
): Condition[] {
  if (kind === 'insert') return [];
  const context = { slots, representations };
  const target = { relation, rowType: undefined, embeds: [] };
  return [
    ...rootOf(query.filters).map((filter) => planFilter(context, target, filter)),
    ...rootOf(query.logic).map((logic) => planLogic(context, target, logic)),
  ];
}

function rootOf<T>(entries: readonly { path: readonly string[]; value: T }[]): T[] {
  return entries.flatMap(({ path, value }) => (path.length === 0 ? [value] : []));
}
