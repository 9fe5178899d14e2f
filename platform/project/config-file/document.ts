/** Parses `supabase/config.toml`: its values, and the line of each key for messages. */
import type { ConfigValue } from '@greenroom/config';
import { parse, TomlDate, TomlError } from 'smol-toml';
import { findKeyLines } from './key-lines.ts';

/** Deepest nesting of a list or an inline table; the official keys need three. */
const MAX_DEPTH = 32;

/** A table of config.toml. */
export type ConfigTable = { readonly [key: string]: ConfigValue };

/** A parsed config.toml. */
export interface ConfigDocument {
  /** Path of the file for messages. */
  path: string;
  values: ConfigTable;
  /** Returns `path:line` of a key, or of the table around it. */
  placeOf(path: readonly string[]): string;
}

/** A config.toml that cannot be read; the message has the place. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
}

/**
 * Parses a document.
 * @param path path of the file for messages
 * @throws ConfigFileError with line and column for a text that is not TOML
 */
export function parseConfigDocument(text: string, path: string): ConfigDocument {
  const values = plainTable(parseToml(text, path));
  const lines = findKeyLines(text);
  return { path, values, placeOf: (key) => `${path}:${lines.lineOf(key)}` };
}

function parseToml(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    // A byte order mark, which some editors on Windows write, is not TOML.
    return parse(text.replace(/^\uFEFF/, ''), {
      integersAsBigInt: 'asNeeded',
      maxDepth: MAX_DEPTH,
      unsafeKeyBehaviour: 'throw',
    });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, reason = error.message] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    throw new ConfigFileError(`${path}:${error.line}:${error.column}: this is not valid TOML: ${reason}`);
  }
}

function plainTable(table: Readonly<Record<string, unknown>>): ConfigTable {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, plainValue(value)]));
}

/** Replaces dates by their text. */
function plainValue(value: unknown): ConfigValue {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object' && value !== null) return plainTable(value as Record<string, unknown>);
  return value as string | number | bigint | boolean;
}

/** Whether a value is a table. */
export function isTable(value: ConfigValue | undefined): value is ConfigTable {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Returns the value at a path; undefined if it, or a table around it, is missing. */
export function valueAt(table: ConfigTable, path: readonly string[]): ConfigValue | undefined {
  let value: ConfigValue | undefined = table;
  for (const key of path) {
    if (!isTable(value)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Returns a value as it is shown in messages. */
export function shownValue(value: ConfigValue): string {
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member));
}
