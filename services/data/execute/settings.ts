/**
 * The settings of a request: one statement sets the role of the transaction and the settings that policies and
 * functions may read. The settings are local to the transaction.
 */
import { quoteIdentifier, type RawStatement } from '@greenroom/postgres';

/** The isolation level of a transaction. Read committed is PostgreSQL's default. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** A setting of PostgreSQL and its value. */
export type Setting = readonly [name: string, value: string];

/** The role and the properties of a request, as settings of its transaction. */
export interface RequestSettings {
  /** The schema of the request, followed by the configured additional schemas. */
  searchPath: readonly string[];
  /** Settings of the role from `ALTER ROLE … SET`. */
  roleSettings?: readonly Setting[];
  role: string;
  /** A JSON text. */
  claims: string;
  method: string;
  path: string;
  /** A JSON object with names in lower case. */
  headers: string;
  /** A JSON object. */
  cookies: string;
  timezone?: string | undefined;
  /** The settings of the called function that apply to the whole transaction. */
  functionSettings?: readonly Setting[];
  /** `app.settings.…` of the configuration. */
  appSettings?: readonly Setting[];
}

/**
 * Returns the statement that applies the settings. Their order matters: read-only comes first so that no later setting can
 * undo it, and settings of the role come before the role so that they are set with the privileges of the login role
 * (`GRANT SET ON PARAMETER`).
 */
export function settingsStatement(settings: RequestSettings, isReadOnly: boolean): RawStatement {
  const { roleSettings = [], functionSettings = [], appSettings = [], timezone } = settings;
  const last = [...functionSettings, ...appSettings];
  const values = [
    searchPathOf(settings.searchPath),
    ...roleSettings.flat(),
    settings.role,
    settings.claims,
    settings.method,
    settings.path,
    settings.headers,
    settings.cookies,
    ...(timezone === undefined ? [] : [timezone]),
    ...last.flat(),
  ];
  const text = settingsText(isReadOnly, roleSettings.length, timezone !== undefined, last.length);
  return { text, values };
}

/** SQL texts by the number of settings of each kind. Configuration and schema bound the number of entries. */
const texts = new Map<string, string>();

function settingsText(isReadOnly: boolean, roleCount: number, hasTimezone: boolean, lastCount: number) {
  const key = `${isReadOnly} ${roleCount} ${hasTimezone} ${lastCount}`;
  const existing = texts.get(key);
  if (existing !== undefined) return existing;
  let parameters = 0;
  const next = () => `$${++parameters}`;
  const named = (name: string) => `set_config('${name}', ${next()}, true)`;
  const unnamed = (count: number) =>
    Array.from({ length: count }, () => `set_config(${next()}, ${next()}, true)`);
  const calls = [
    ...(isReadOnly ? ["set_config('transaction_read_only', 'on', true)"] : []),
    // Clears a role that a function of an earlier request set for the session; so this is not local to the transaction.
    "set_config('role', 'none', false)",
    named('search_path'),
    ...unnamed(roleCount),
    ...['role', 'request.jwt.claims', 'request.method', 'request.path'].map(named),
    ...['request.headers', 'request.cookies'].map(named),
    ...(hasTimezone ? [named('timezone')] : []),
    ...unnamed(lastCount),
  ];
  const text = `select where ${counted(calls)} = 0`;
  texts.set(key, text);
  return text;
}

/** Maximum number of arguments in one call (PostgreSQL's documentation, "max_function_args"). */
const MAX_ARGUMENTS = 100;

/**
 * Returns an expression that evaluates the calls in order. All of them return a value, so the count is never 0 and the
 * statement returns no row.
 */
function counted(calls: readonly string[]): string {
  const counts: string[] = [];
  for (let i = 0; i < calls.length; i += MAX_ARGUMENTS) {
    counts.push(`num_nonnulls(${calls.slice(i, i + MAX_ARGUMENTS).join(', ')})`);
  }
  return counts.join(' + ');
}

const searchPaths = new WeakMap<readonly string[], string>();

function searchPathOf(schemas: readonly string[]): string {
  const known = searchPaths.get(schemas);
  if (known !== undefined) return known;
  const path = schemas.map(quoteIdentifier).join(', ');
  searchPaths.set(schemas, path);
  return path;
}
