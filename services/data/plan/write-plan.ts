/**
 * From a query and the form of a body to what is to be written. Columns that are set are looked up, since a value is decoded
 * as its column's type; those in conditions are not, as in reads. What the answer shows is a read of its own.
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

/** The common table expression of the rows that are written. The answer is read from it. */
export const WRITTEN = 'pgrst_written';

/** What says what is written. */
interface WriteRequest {
  kind: WriteKind;
  relation: Relation;
  query: Query;
  /** Undefined for a delete. */
  body: Pick<JsonBody, 'columns' | 'isArray' | 'rowCount'> | undefined;
  preferences: Pick<Preferences, 'resolution' | 'missing' | 'return'>;
}

/** What is written. Like a read's plan it knows slots, but no values: it is the same for all requests of a shape. */
export interface WritePlan {
  kind: WriteKind;
  relation: Relation;
  /** What is set, and where the values are. A delete sets no columns. */
  body: WrittenBody;
  /**
   * Columns of the unique index by which rows are duplicates. Empty where nothing is done about duplicates, so that also
   * the preference `resolution` is not applied.
   */
  arbiter: readonly string[];
  /** Of inserts and PUT; undefined where duplicates are errors. */
  resolution: Preferences['resolution'];
  /** All of them must hold: for rows of the relation or, of a PUT, for rows of the body. */
  conditions: readonly Condition[];
  return: 'minimal' | 'headers-only' | 'representation';
}

/** Rows of a body. */
export interface WrittenBody {
  slot: number;
  /** A list of objects, or one object. */
  isArray: boolean;
  columns: readonly WrittenColumn[];
}

/** A column that is set. */
export interface WrittenColumn {
  name: string;
  type: string;
  /** Makes the value out of JSON, where that is not left to the type. */
  parse: QualifiedName | undefined;
  /** SQL text of the catalog: the value where an object has no such key. Undefined is null. */
  default: string | undefined;
  /** Whether the type is a domain, as far as it is known: one may have no null. */
  isDomain: boolean;
}

/**
 * Plans a write.
 * @throws PGRST204 for a column that is not there; of a PUT, PGRST105 for other filters than those of the primary key, and
 * PGRST115 for a body without it
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

/** Checks the number of rows that were written: throws PGRST115 where a PUT has not written the row of its URL. */
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
  if (body === undefined) throw new Error(`there is no body to ${kind}`);
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

/** A PUT is about the one row that the URL names, so it says what the whole key is, and nothing else. */
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
 * Conditions of embeds are for what is shown, and an insert has no rows yet to pick from. Embeds cannot be tested for null
 * here: a name is one of a column, as upstream has it.
 */
function planConditions(
  { kind, relation, query }: WriteRequest,
  { representations }: SchemaCache,
  slots: Slots,
): Condition[] {
  if (kind === 'insert') return [];
  const context = { slots, representations };
  const subject = { relation, rowType: undefined, embeds: [] };
  return [
    ...rootOf(query.filters).map((filter) => planFilter(context, subject, filter)),
    ...rootOf(query.logic).map((logic) => planLogic(context, subject, logic)),
  ];
}

function rootOf<T>(entries: readonly { path: readonly string[]; value: T }[]): T[] {
  return entries.flatMap(({ path, value }) => (path.length === 0 ? [value] : []));
}
