/** The selection of the section “Tables” in the URL. */
import { type Filter, formatFilter, MAX_FILTERS, parseFilter } from './filters.ts';

/** Path of the section. */
export const TABLES = '/admin/tables';

/** The order of rows. */
export interface Sort {
  column: string;
  isDescending: boolean;
}

/** Which rows of which relation are shown. */
export interface Selection {
  schema: string;
  /** Undefined while no relation is chosen. */
  table: string | undefined;
  filters: readonly Filter[];
  /** Undefined: by the key. */
  sort: Sort | undefined;
  /** Position after which the rows begin; see `position.ts`. */
  after: string | undefined;
}

/** Default schema. */
const PUBLIC = 'public';
const MAX_NAME_CHARACTERS = 63;

/** Reads the query; undefined if it is invalid. */
export function readSelection(search: URLSearchParams): Selection | undefined {
  const schema = search.get('schema') ?? PUBLIC;
  const table = search.get('table') ?? undefined;
  if (!isName(schema) || (table !== undefined && !isName(table))) return undefined;
  const filters = search.getAll('filter').map(parseFilter);
  const sort = search.get('sort');
  if (filters.includes(undefined) || filters.length > MAX_FILTERS || sort === '') return undefined;
  return {
    schema,
    table,
    filters: filters as Filter[],
    sort: sort === null ? undefined : parseSort(sort),
    after: search.get('after') ?? undefined,
  };
}

/** Returns the query of a selection. */
export function selectionQuery(selection: Partial<Selection>): URLSearchParams {
  const { schema = PUBLIC, table, filters = [], sort, after } = selection;
  const query = new URLSearchParams({ schema });
  if (table !== undefined) query.set('table', table);
  for (const filter of filters) query.append('filter', formatFilter(filter));
  if (sort) query.set('sort', `${sort.column}.${sort.isDescending ? 'desc' : 'asc'}`);
  if (after !== undefined) query.set('after', after);
  return query;
}

/** Returns the URL of a selection. */
export function tablesPath(selection: Partial<Selection>): string {
  return `${TABLES}?${selectionQuery(selection)}`;
}

/** The direction follows the last dot; a column without one is sorted ascending. */
function parseSort(text: string): Sort {
  const match = /^(.+)\.(asc|desc)$/s.exec(text);
  return { column: match?.[1] ?? text, isDescending: match?.[2] === 'desc' };
}

function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_CHARACTERS && !text.includes('\0');
}
