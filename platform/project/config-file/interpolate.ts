/** Replaces `env(NAME)` in config.toml by values of environment variables. */
import type { ConfigValue } from '@greenroom/config';
import { type ConfigDocument, type ConfigTable, isTable } from './document.ts';

const REFERENCE = /^env\((.*)\)$/;

/** A document whose references are replaced. */
export interface InterpolatedDocument extends ConfigDocument {
  /** Paths, as JSON, whose variable is unset, with the name of the variable. Their text is unchanged. */
  unsetVariables: ReadonlyMap<string, string>;
}

/**
 * Replaces each text that is entirely `env(NAME)`, also in lists. A reference to an unset variable stays as it is.
 * @param variable returns the value of an environment variable
 */
export function interpolate(
  document: ConfigDocument,
  variable: (name: string) => string | undefined,
): InterpolatedDocument {
  const unsetVariables = new Map<string, string>();

  function replaced(value: ConfigValue, path: readonly string[]): ConfigValue {
    if (typeof value === 'string') return replacedText(value, path);
    if (Array.isArray(value)) return (value as readonly ConfigValue[]).map((item) => replaced(item, path));
    return isTable(value) ? replacedTable(value, path) : value;
  }

  function replacedText(text: string, path: readonly string[]): string {
    const [, name] = REFERENCE.exec(text) ?? [];
    if (name === undefined) return text;
    const found = variable(name);
    if (found === undefined) unsetVariables.set(JSON.stringify(path), name);
    return found ?? text;
  }

  function replacedTable(table: ConfigTable, path: readonly string[]): ConfigTable {
    const entries = Object.entries(table).map(
      ([key, value]) => [key, replaced(value, [...path, key])] as const,
    );
    return Object.fromEntries(entries);
  }

  return { ...document, values: replacedTable(document.values, []), unsetVariables };
}
