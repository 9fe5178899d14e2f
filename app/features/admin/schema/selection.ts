/** The selection of the structure pages in the URL: schema, table, form and object. */
import { type FormName, isFormName } from './forms.ts';

/** Path of the structure of tables. */
export const STRUCTURE = '/admin/tables/structure';

/** The longest name of PostgreSQL, and the arguments of a function. */
const MAX_NAME_LENGTH = 2000;
const DEFAULT_SCHEMA = 'public';

/** The selection. '' means not selected. */
export interface StructureSelection {
  schema: string;
  table: string;
  /** The open form. */
  change: FormName | '';
  /** The object that the form changes. */
  object: string;
}

/** Parses a URL. Invalid values are ignored. */
export function readStructureSelection(search: URLSearchParams): StructureSelection {
  const name = (key: string) => (search.get(key) ?? '').replaceAll('\0', '').slice(0, MAX_NAME_LENGTH);
  const change = name('change');
  return {
    schema: name('schema') || DEFAULT_SCHEMA,
    table: name('table'),
    change: isFormName(change) ? change : '',
    object: name('object'),
  };
}

/** Returns the URL of a selection, followed by `more`. */
export function structurePath(
  selection: Partial<StructureSelection>,
  more: Readonly<Record<string, string>> = {},
): string {
  const { schema = '', table = '', change = '', object = '' } = selection;
  const entries = Object.entries({ schema, table, change, object, ...more }).filter(
    ([, value]) => value !== '',
  );
  return `${STRUCTURE}?${new URLSearchParams(entries)}`;
}

const MIGRATION_PATH = /^supabase\/migrations\/\d{14}_[\w .-]{1,100}\.sql$/;

/** Returns the path of the migration file that the URL names after a change; '' without a file, undefined without a change. */
export function readDone(search: URLSearchParams): string | undefined {
  const done = search.get('done');
  if (done === null) return undefined;
  return MIGRATION_PATH.test(done) ? done : '';
}
