/** Evaluates trees in JavaScript, as a reference for the generated SQL. It knows nothing of plans and SQL. */
import type { Database } from '@greenroom/postgres';
import { relationOf, TREE_RELATIONS, type TreeEmbed, type TreeFilter, type TreeNode } from './trees.ts';

type Row = Readonly<Record<string, number | string | null>>;
type Json = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** The range of the root, and the maximum number of rows of each list. */
export interface TreeRange {
  limit: number | undefined;
  offset: number | undefined;
  maxRows: number | undefined;
}

/** The expected body of a read, and the number of rows that match without limits. */
interface TreeResult {
  body: readonly Json[];
  matching: number;
}

/** A row that remains after all conditions, and its JSON object. */
interface Shown {
  row: Row;
  json: Json;
  /** The keys of the to-one embeds that the rows may be ordered by. */
  sortKey: number | string | null;
}

/** Reads all rows of the relations of trees. */
export async function loadTables(database: Pick<Database, 'query'>): Promise<Tables> {
  const tables: Record<string, readonly Row[]> = {};
  for (const name of Object.keys(TREE_RELATIONS)) {
    tables[name] = await database.query<Row & Record<string, string>>({
      text: `select * from studio.${name}`,
    });
  }
  return tables;
}

/** Evaluates a tree whose root is the relation `films`. */
export function evaluateTree(tables: Tables, root: TreeNode, range: TreeRange): TreeResult {
  const evaluation = new Evaluation(tables, range.maxRows);
  const films = tables.films ?? [];
  const { limit, offset } = range;
  return {
    body: evaluation.shown({ ...root, limit, offset }, films).map(({ json }) => json),
    matching: evaluation.matching(root, films).length,
  };
}

class Evaluation {
  readonly #tables: Tables;
  readonly #maxRows: number;

  constructor(tables: Tables, maxRows = Number.POSITIVE_INFINITY) {
    this.#tables = tables;
    this.#maxRows = maxRows;
  }

  /** Returns the rows that match without limits and aggregates. An inner embed requires a row that matches likewise. */
  matching(node: TreeNode, candidates: readonly Row[]): readonly Row[] {
    return candidates.filter(
      (row) =>
        this.#passes(node, row) &&
        node.embeds.every((embed) => !embed.isInner || this.#exists(node, embed, row)),
    );
  }

  /** Returns the rows of a node in the response. An inner embed requires a row in the response. */
  shown(node: TreeNode, candidates: readonly Row[]): readonly Shown[] {
    const passing = candidates.filter((row) => this.#passes(node, row));
    const shown = passing.flatMap((row) => this.#show(node, row) ?? []);
    const rows = node.aggregate === undefined ? shown.toSorted(byKeys(node)) : [countOf(node, shown.length)];
    const { limit = Number.POSITIVE_INFINITY, offset = 0 } = node;
    return rows.slice(offset, offset + Math.min(limit, this.#maxRows));
  }

  #passes(node: TreeNode, row: Row): boolean {
    const { filters, embeds } = node;
    return (
      filters.every((filter) => matches(filter, row)) &&
      embeds.every(
        (embed) => embed.mustExist === undefined || embed.mustExist === this.#exists(node, embed, row),
      )
    );
  }

  #exists(parent: TreeNode, embed: TreeEmbed, row: Row): boolean {
    return this.matching(embed.node, candidatesOf(this.#tables, parent, embed, row)).length > 0;
  }

  /** Returns undefined for a row that an inner embed excludes. */
  #show(node: TreeNode, row: Row): Shown | undefined {
    const json: Record<string, unknown> = {};
    if (node.column !== undefined) json[node.column] = row[firstKey(node)] ?? null;
    let sortKey: Shown['sortKey'] = null;
    for (const embed of node.embeds) {
      const isCondition = embed.node.column === undefined && node.sortBy !== embed.name;
      if (isCondition) {
        if (embed.isInner && !this.#exists(node, embed, row)) return undefined;
        continue;
      }
      const rows = this.shown(embed.node, candidatesOf(this.#tables, node, embed, row));
      if (embed.isInner && rows.length === 0) return undefined;
      if (node.sortBy === embed.name) sortKey = rows[0]?.row[firstKey(embed.node)] ?? null;
      Object.assign(json, valuesOf(embed, rows));
    }
    return { row, json, sortKey };
  }
}

function countOf({ column = '' }: TreeNode, count: number): Shown {
  return { row: {}, json: { [column]: count }, sortKey: null };
}

function firstKey({ relation }: TreeNode): string {
  return relationOf(relation).key[0] ?? '';
}

/** Returns the columns that an embed adds to its parent. */
function valuesOf(embed: TreeEmbed, rows: readonly Shown[]): Json {
  const { name, node, isToOne, isSpread } = embed;
  if (node.column === undefined) return {};
  const objects = rows.map(({ json }) => json);
  if (!isSpread) return { [name]: isToOne ? (objects[0] ?? null) : objects };
  const columns = columnsOf(node);
  const values = columns.map((column) => {
    const each = objects.map((json) => json[column]);
    return [column, isToOne ? (each[0] ?? null) : each];
  });
  return Object.fromEntries(values);
}

/** The names of the members of the node's objects. */
function columnsOf({ column, embeds }: TreeNode): string[] {
  const ofEmbeds = embeds.flatMap(({ name, node, isSpread }) => {
    if (node.column === undefined) return [];
    return isSpread ? columnsOf(node) : [name];
  });
  return [...(column === undefined ? [] : [column]), ...ofEmbeds];
}

/** Orders by the sort key, descending with nulls last, then by the key of the relation. */
function byKeys({ relation }: TreeNode): (a: Shown, b: Shown) => number {
  const { key } = relationOf(relation);
  return (a, b) => {
    const sorted = compare(b.sortKey, a.sortKey);
    if (a.sortKey === null || b.sortKey === null) {
      if (a.sortKey !== b.sortKey) return a.sortKey === null ? 1 : -1;
    } else if (sorted !== 0) return sorted;
    return key.reduce((result, column) => result || compare(a.row[column], b.row[column]), 0);
  };
}

function compare(a: number | string | null | undefined, b: number | string | null | undefined): number {
  return Number(a) - Number(b);
}

/** A comparison with null is neither true nor false, and not true if negated either. */
function matches({ column, isNegated, operator, values }: TreeFilter, row: Row): boolean {
  const value = column === 'shout' ? shout(row) : (row[column] ?? null);
  if (operator === 'is') return (value === null) !== isNegated;
  return value !== null && compares(operator, value, values) !== isNegated;
}

function shout({ title }: Row): string | null {
  return typeof title === 'string' ? title.toUpperCase() : null;
}

function compares(
  operator: TreeFilter['operator'],
  value: number | string,
  values: TreeFilter['values'],
): boolean {
  const [first = 0] = values;
  switch (operator) {
    case 'eq':
      return value === first;
    case 'neq':
      return value !== first;
    case 'gt':
      return value > first;
    default:
      return values.includes(value);
  }
}

/** Whether a row belongs to a row of another relation. Keys that are null belong to none. */
type Link = (parent: Row, row: Row, tables: Tables) => boolean;

function sameKey(a: unknown, b: unknown): boolean {
  return a !== null && a !== undefined && a === b;
}

const toDirector: Link = (parent, row) => sameKey(parent.director_id, row.id);
const ofDirector: Link = (parent, row) => sameKey(parent.id, row.director_id);
const toFilm: Link = (parent, row) => sameKey(parent.film_id, row.id);
const ofFilm: Link = (parent, row) => sameKey(parent.id, row.film_id);

/** By the relation of the parent and the target of the embed. */
const LINKS: Readonly<Record<string, Link>> = {
  'films directors': toDirector,
  'films synopses': ofFilm,
  'films sequel_of': (film, row) => sameKey(film.sequel_of, row.id),
  'films first_sequel': (film, row) => sameKey(film.id, row.sequel_of),
  'films actors': (film, actor, { roles = [] }) =>
    roles.some(({ film_id, actor_id }) => sameKey(film.id, film_id) && sameKey(actor.id, actor_id)),
  'films roles': ofFilm,
  'films screenings': ofFilm,
  'films rivals': (film, row) =>
    // A missing parent is a row without members.
    sameKey(typeof film.id, typeof row.id) && film.id !== row.id && film.director_id !== row.director_id,
  'directors films': ofDirector,
  'directors recent_films': ofDirector,
  'recent_films directors': toDirector,
  'recent_films screenings': ofFilm,
  'synopses films': toFilm,
  'actors films': (actor, film, { roles = [] }) =>
    roles.some(({ film_id, actor_id }) => sameKey(film.id, film_id) && sameKey(actor.id, actor_id)),
  'actors roles': (actor, role) => sameKey(actor.id, role.actor_id),
  'roles films': toFilm,
  'roles actors': (role, actor) => sameKey(role.actor_id, actor.id),
  'screenings films': toFilm,
  'screenings tickets': (screening, ticket) => sameKey(screening.id, ticket.screening_id),
  'tickets screenings': (ticket, screening) => sameKey(ticket.screening_id, screening.id),
};

/** Returns the rows of an embed that belong to a row of its parent. */
function candidatesOf(
  tables: Tables,
  parent: TreeNode,
  { target, node }: TreeEmbed,
  row: Row,
): readonly Row[] {
  const link = LINKS[`${parent.relation} ${target}`];
  if (link === undefined) throw new Error(`no link from ${parent.relation} to ${target}`);
  const rows = (tables[node.relation] ?? []).filter((each) => link(row, each, tables));
  // The function returns a row of nulls if it finds none.
  return target === 'first_sequel' && rows.length === 0 ? [{}] : rows;
}
