/** The form that starts a run: SQL and its options. */

/** Roles that the page offers. */
export const RUN_ROLES = ['postgres', 'anon', 'authenticated', 'service_role'] as const;

/** A role that the page offers. */
type RunRole = (typeof RUN_ROLES)[number];

/** `explain` shows the plan of a statement, `analyze` also runs it, in a transaction that is rolled back. */
const RUN_MODES = ['run', 'explain', 'analyze'] as const;

/** A way to run SQL. */
export type RunMode = (typeof RUN_MODES)[number];

/** The part of the text that a command runs. `cursor`: the selection, or else the statement at the cursor. */
export type RunScope = 'all' | 'selection' | 'cursor';

/** Time limits of a statement that the page offers, in seconds. */
export const TIMEOUTS_S = [5, 30, 120, 600, 3600] as const;

/** Maximum numbers of rows of a result that the page offers. */
export const ROW_LIMITS = [100, 1000, 10_000] as const;

/** Options of a run. */
export interface RunSettings {
  role: RunRole;
  /** Claims as JSON; an empty text for none. */
  claims: string;
  isReadOnly: boolean;
  /** Whether changes of the schema get a migration file. Without a project they have none. */
  writesMigration: boolean;
  timeoutS: number;
  maxRows: number;
}

/** A valid form. */
export interface RunForm {
  id: string;
  sql: string;
  mode: RunMode;
  role: RunRole;
  claims: Record<string, unknown> | null;
  isReadOnly: boolean;
  writesMigration: boolean;
  timeoutMs: number;
  maxRows: number;
}

/** A field that is not valid. */
export type RunFormProblem = 'empty' | 'claims' | 'form';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_TIMEOUT_S = 3600;
const MAX_ROWS = 10_000;

/** Parses the form. */
export function parseRunForm(form: FormData): RunForm | RunFormProblem {
  const text = (name: string) => String(form.get(name) ?? '');
  const id = text('id');
  const sql = text('sql');
  const mode = RUN_MODES.find((each) => each === (text('mode') || 'run'));
  const role = RUN_ROLES.find((each) => each === (text('role') || 'postgres'));
  const timeoutS = integerOf(text('timeout') || '30', MAX_TIMEOUT_S);
  const maxRows = integerOf(text('rows') || '1000', MAX_ROWS);
  if (!UUID.test(id) || !mode || !role || !timeoutS || !maxRows || sql.includes('\0')) return 'form';
  if (sql.trim() === '') return 'empty';
  const claims = parseClaims(text('claims'));
  if (claims === undefined) return 'claims';
  const isReadOnly = text('read-only') === 'on';
  const writesMigration = text('migration') === 'on';
  return { id, sql, mode, role, claims, isReadOnly, writesMigration, timeoutMs: timeoutS * 1000, maxRows };
}

/** Parses claims; null without claims, undefined if they are no JSON object. */
export function parseClaims(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const claims: unknown = JSON.parse(text);
    const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims);
    return isObject ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function integerOf(text: string, max: number): number | undefined {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
  return number <= max ? number : undefined;
}
