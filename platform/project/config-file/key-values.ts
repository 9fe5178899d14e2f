/** Values of config.toml that are not settings: their conversions, of which undefined means a wrong value, and their problems. */
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import { type ConfigDocument, type ConfigTable, shownValue } from './document.ts';

/** Reports a value that is not allowed; `allowed` describes the allowed ones. */
export type ReportProblem = (path: readonly string[], value: ConfigValue, allowed: string) => void;

/** Returns a function that adds problems of a document to a list. */
export function reportTo(problems: ConfigProblem[], document: ConfigDocument): ReportProblem {
  return (path, value, allowed) =>
    void problems.push({
      name: path.join('.'),
      value: shownValue(value),
      allowed,
      origin: document.placeOf(path),
    });
}

/** Reads keys of one table. */
type ReadKey<Key extends string> = <T>(
  key: Key,
  convert: (value: ConfigValue) => T | undefined,
  allowed: string,
) => T | undefined;

/** Returns a function that reads keys of the table at a path; undefined for keys that are missing or wrong. */
export function readerOf<Key extends string>(
  table: ConfigTable,
  path: readonly string[],
  report: ReportProblem,
): ReadKey<Key> {
  return (key, convert, allowed) => {
    const value = Object.hasOwn(table, key) ? table[key] : undefined;
    if (value === undefined) return undefined;
    const converted = convert(value);
    if (converted === undefined) report([...path, key], value, allowed);
    return converted;
  };
}

/** Returns a text. */
export function textOf(value: ConfigValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a boolean. The value of a variable is a text. */
export function booleanOf(value: ConfigValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

/** Returns a list of texts. */
export function textsOf(value: ConfigValue): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly ConfigValue[];
  return items.every((item) => typeof item === 'string') ? items : undefined;
}
