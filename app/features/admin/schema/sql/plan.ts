/** The statements of a form, before they run. */
import type { StructureContext } from '../definition.ts';
import type { FormValues } from './values.ts';

/** The statements of a form, with their migration. */
export interface SchemaPlan {
  /** Empty if fields are missing, or if nothing changes. */
  statements: readonly string[];
  /** Statements that restore the definition; null if it cannot be restored, e.g. because rows are lost. */
  undo: readonly string[] | null;
  /** Title of the change, in English, for the audit log. */
  title: string;
  /** Name for the migration. */
  name: string;
  /** Names of required fields that are empty. */
  missing: readonly string[];
}

/** Makes the plan of a form. Pure: the browser shows it while typing, and the server makes the same. */
export type Planner = (values: FormValues, context: StructureContext) => SchemaPlan;

/** Returns a plan without statements, because required fields are empty. */
export function planWithout(title: string, missing: readonly string[]): SchemaPlan {
  return { statements: [], undo: null, title, name: migrationName(title), missing };
}

/** Returns a plan. Empty statements are left out. */
export function plan(
  title: string,
  statements: readonly (string | undefined)[],
  undo: readonly (string | undefined)[] | null,
): SchemaPlan {
  const isStatement = (statement: string | undefined) => statement !== undefined && statement !== '';
  return {
    statements: statements.filter(isStatement) as string[],
    undo: undo && (undo.filter(isStatement) as string[]),
    title,
    name: migrationName(title),
    missing: [],
  };
}

/** Returns the names of the fields that are empty. */
export function missingOf(required: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(required).flatMap(([name, value]) => (value.length === 0 ? [name] : []));
}

/** Returns the text of a plan as it is shown and run. */
export function sqlOf({ statements }: Pick<SchemaPlan, 'statements'>): string {
  return statements.join('\n');
}

const MAX_NAME_CHARACTERS = 80;

/** Returns a text as the name of a migration: words of letters and digits. */
function migrationName(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return words.slice(0, MAX_NAME_CHARACTERS) || 'change';
}
