/**
 * The settings of a request: one statement that gives the transaction its role and everything that policies and functions
 * may ask for. All of them end with the transaction.
 */
import { quoteIdentifier, type RawStatement } from '@greenroom/postgres';

/** The isolation level of a transaction. Read committed is PostgreSQL's default. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** A setting of PostgreSQL and its value. */
export type Setting = readonly [name: string, value: string];

/** The role and the properties of a request, as settings of its transaction. */
export interface RequestSettings {
  /** The schema of the request, and those in which functions and operators are looked for, too. */
  searchPath: readonly string[];
  /** Of `ALTER ROLE … SET`. */
  roleSettings?: readonly Setting[];
  role: string;
  /** JSON. */
  claims: string;
  method: string;
  path: string;
  /** JSON: an object with names in lower case. */
  headers: string;
  /** JSON: an object. */
  cookies: string;
  timezone?: string | undefined;
  /** Of the function that is called, those that hold for the whole transaction. */
  functionSettings?: readonly Setting[];
  /** `app.settings.…` of the configuration. */
  appSettings?: readonly Setting[];
}

/**
 * The statement. What is set first holds for what is set after it: a read cannot be made a write any more, and settings of
 * a role are set with the rights of the login role (`GRANT SET ON PARAMETER`).
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

/** Texts by how many settings there are of each kind, which the configuration and the schema limit. */
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
    // A role that a function of an earlier request has left in the session: not for the transaction, so that it is gone.
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

/** As many arguments as PostgreSQL takes in one call (its documentation, "max_function_args"). */
const MOST_ARGUMENTS = 100;

/** Counts the calls that return a value, which all do: the statement returns no row. They run in their order. */
function counted(calls: readonly string[]): string {
  const counts: string[] = [];
  for (let i = 0; i < calls.length; i += MOST_ARGUMENTS) {
    counts.push(`num_nonnulls(${calls.slice(i, i + MOST_ARGUMENTS).join(', ')})`);
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
