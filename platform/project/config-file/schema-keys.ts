/** Keys of config.toml about the declared schema and about comparisons of schemas. */
import type { ConfigValue } from '@greenroom/config';
import { textsOf } from './key-values.ts';

/** How statements are written; the names are those of pg-delta. */
type SchemaFormat = {
  readonly [Name in keyof typeof FORMAT_VALUES]?: NonNullable<ReturnType<(typeof FORMAT_VALUES)[Name]>>;
};

/** The values of these keys, defaults included. */
export interface SchemaKeys {
  /** `experimental.pgdelta.enabled`: whether pg-delta may compare schemas without being asked for. */
  isPgDeltaEnabled: boolean;
  /** `db.migrations.schema_paths`: files of the declared schema, relative to `supabase/`; may be globs. */
  paths: readonly string[];
  /** `experimental.pgdelta.declarative_schema_path`: folder of the declared schema, relative to `supabase/`. */
  folder: string;
  /** `experimental.pgdelta.format_options`. */
  format: SchemaFormat;
}

/** The values of a project without config.toml. */
export const DEFAULT_SCHEMA_KEYS: SchemaKeys = {
  isPgDeltaEnabled: true,
  paths: [],
  folder: 'schemas',
  format: {},
};

const oneOf =
  <T extends string>(...names: T[]) =>
  (value: unknown): T | undefined =>
    names.find((name) => name === value);
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const count = (value: unknown) => (Number.isInteger(value) ? Number(value) : undefined);

const FORMAT_VALUES = {
  keywordCase: oneOf('preserve', 'upper', 'lower'),
  commaStyle: oneOf('trailing', 'leading'),
  indent: count,
  maxWidth: count,
  alignColumns: flag,
  alignKeyValues: flag,
  preserveRoutineBodies: flag,
  preserveViewBodies: flag,
  preserveRuleBodies: flag,
};

const FORMAT_ALLOWED = `an object as JSON text, with ${Object.keys(FORMAT_VALUES).join(', ')}`;

/** Reads a key: converts its value, and reports a value that is not allowed. Returns undefined for a missing key. */
type Read = <T>(
  key: string,
  convert: (value: ConfigValue) => T | undefined,
  allowed: string,
) => T | undefined;

/** Reads the keys. */
export function readSchemaKeys(read: Read): SchemaKeys {
  const { isPgDeltaEnabled, paths, folder, format } = DEFAULT_SCHEMA_KEYS;
  return {
    isPgDeltaEnabled: read('experimental.pgdelta.enabled', flag, 'true or false') ?? isPgDeltaEnabled,
    paths: read('db.migrations.schema_paths', textsOf, 'a list of paths') ?? paths,
    folder: read('experimental.pgdelta.declarative_schema_path', textOf, 'a path') || folder,
    format: read('experimental.pgdelta.format_options', formatOf, FORMAT_ALLOWED) ?? format,
  };
}

function textOf(value: ConfigValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function formatOf(value: ConfigValue): SchemaFormat | undefined {
  if (value === '') return {};
  const options = typeof value === 'string' ? parseObject(value) : undefined;
  if (options === undefined) return undefined;
  const isAllowed = ([name, option]: [string, unknown]) =>
    Object.hasOwn(FORMAT_VALUES, name) &&
    FORMAT_VALUES[name as keyof typeof FORMAT_VALUES](option) !== undefined;
  return Object.entries(options).every(isAllowed) ? options : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
