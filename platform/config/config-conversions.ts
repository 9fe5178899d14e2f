/** Conversions of values of config.toml to the texts of settings whose format differs. */
import { resolve } from 'node:path';
import { type ConfigConversion, type ConfigPaths, type ConfigValue, ConfigValueError } from './config-key.ts';

/** Returns a text, number or boolean as it is. */
export function scalarText(value: ConfigValue): string {
  if (typeof value !== 'object') return String(value);
  throw new ConfigValueError('a single value, not a list or a table');
}

/** Negates a boolean, for settings that disable what the key enables. */
export function negatedText(value: ConfigValue): string {
  const text = scalarText(value);
  if (text !== 'true' && text !== 'false') throw new ConfigValueError('true, false');
  return text === 'true' ? 'false' : 'true';
}

/** Joins a list with commas. A text, e.g. of an environment variable, is a list that is joined already. */
export function listText(value: ConfigValue): string {
  if (typeof value === 'string') return value;
  const items = Array.isArray(value) ? (value as readonly ConfigValue[]).map(scalarText) : undefined;
  if (items === undefined) throw new ConfigValueError('a list of texts');
  if (items.some((item) => item.includes(','))) throw new ConfigValueError('a list of texts without commas');
  return items.join(',');
}

/** Converts a table to `name=value` pairs, joined with commas. */
export function pairsText(value: ConfigValue): string {
  if (typeof value !== 'object' || Array.isArray(value)) throw new ConfigValueError('a table');
  const pairs = Object.entries(value).map(([name, member]) => [name, scalarText(member)] as const);
  if (pairs.some((pair) => pair.some((text) => /[,=]/.test(text)))) {
    throw new ConfigValueError('names and values without commas and equals signs');
  }
  return pairs.map(([name, text]) => `${name}=${text}`).join(',');
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1000,
  m: 1000 ** 2,
  g: 1000 ** 3,
  t: 1000 ** 4,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
  ti: 1024 ** 4,
};
/** A number with a unit that is decimal (`MB`, 1000²) or binary (`MiB`, 1024²), in any case. */
const SIZE = /^(\d+(?:\.\d+)?) ?([kmgt]i?|)b?$/i;

/** Converts a size such as `50MiB` or `5MB` to bytes. */
export function bytesText(value: ConfigValue): string {
  const match = typeof value === 'object' ? undefined : SIZE.exec(String(value));
  if (!match) throw new ConfigValueError('bytes, or a number with a unit such as 50MiB or 5MB');
  return String(Math.floor(Number(match[1]) * (BYTE_UNITS[match[2]?.toLowerCase() ?? ''] ?? 1)));
}

/** Returns a duration; zero, which disables the limit, leaves the setting unset. */
export function durationText(value: ConfigValue): string | undefined {
  const text = scalarText(value);
  return /^0+(?:ms|s|m|h)?$/.test(text) ? undefined : text;
}

/** Returns a conversion of paths that are relative to one of the folders of the project. */
export function pathText(base: keyof ConfigPaths): ConfigConversion {
  return (value, paths) => {
    const text = scalarText(value);
    return text === '' ? undefined : resolve(paths[base], text);
  };
}

/** Returns a conversion of words, e.g. `{ letters_digits: 'abc:123' }`. */
export function wordText(texts: Readonly<Record<string, string>>): ConfigConversion {
  return (value) => {
    const text = typeof value === 'string' && Object.hasOwn(texts, value) ? texts[value] : undefined;
    if (text === undefined) throw new ConfigValueError(Object.keys(texts).map(shownWord).join(', '));
    return text;
  };
}

function shownWord(word: string): string {
  return word === '' ? '""' : word;
}

/** Returns a conversion of a boolean that selects `text`; false leaves the setting unset. */
export function selectedText(text: string): ConfigConversion {
  return (value) => (negatedText(value) === 'false' ? text : undefined);
}
