/** Declares a setting: one environment variable with its schema, its default and its documentation. */
import type { z } from 'zod';
import type { ConfigKeys } from './config-key.ts';

/**
 * How the contents of a file become the text of a setting: trimmed at both ends, or without the last line break only.
 */
export type FileContents = 'trimmed' | 'verbatim';

/** Details of a declaration. */
export interface SettingDetails<D extends string | undefined = string | undefined> {
  /** One sentence for the reference page. */
  description: string;
  /** Default as text, parsed by the same schema. Without a default, an unset setting has the value undefined. */
  default: D;
  /** Whether the value is never shown, not even in an error about it. */
  secret?: boolean;
  /** Whether an empty text is a value instead of meaning that the setting is unset. */
  acceptsEmpty?: boolean;
  /** Whether `@path` in the environment is replaced by the contents of that file. */
  file?: FileContents;
  /** Earlier names that are still read if the name itself is unset. */
  formerNames?: readonly string[];
  /** Name on the reference page that several settings share, e.g. `GOTRUE_EXTERNAL_<PROVIDER>_URL`. */
  documentedAs?: string;
  /** Key of config.toml that sets it, with details if its format or default differs; of several, the first set one. */
  configKey?: ConfigKeys;
  /** Whether a reload applies a new value; otherwise the instance must be restarted. See ./reloadable.ts. */
  isReloadable?: boolean;
}

/** A declared setting with values of type `T`. Created by {@link setting} and the functions in ./kinds.ts. */
export class Setting<T = unknown> {
  /** Name of the environment variable. */
  readonly name: string;
  readonly schema: z.ZodType<T, string>;
  /** Description of the allowed values. */
  readonly allowed: string;
  readonly details: SettingDetails;

  constructor(name: string, schema: z.ZodType<T, string>, allowed: string, details: SettingDetails) {
    this.name = name;
    this.schema = schema;
    this.allowed = allowed;
    this.details = details;
  }

  /** Returns the setting with other details. */
  with(details: Partial<SettingDetails>): Setting<T> {
    return new Setting(this.name, this.schema, this.allowed, { ...this.details, ...details });
  }

  /** Returns the setting with converted values, e.g. seconds to milliseconds. An undefined value stays undefined. */
  map<U>(convert: (value: Exclude<T, undefined>) => U): Setting<U | Extract<T, undefined>> {
    const schema = this.schema.transform((value) => convert(value as Exclude<T, undefined>));
    return new Setting<U | Extract<T, undefined>>(
      this.name,
      schema as z.ZodType<U | Extract<T, undefined>, string>,
      this.allowed,
      this.details,
    );
  }
}

/** The type of a setting with values of `T` and default `D`: without a default, the value may be undefined. */
export type SettingOf<T, D extends string | undefined> = Setting<D extends string ? T : T | undefined>;

/**
 * Declares a setting.
 * @param schema converts its text to its value
 * @param allowed description of the allowed values, for error messages and the reference page
 */
export function setting<T, const D extends string | undefined>(
  name: string,
  schema: z.ZodType<T, string>,
  allowed: string,
  details: SettingDetails<D>,
): SettingOf<T, D> {
  return new Setting(name, schema, allowed, details) as unknown as SettingOf<T, D>;
}
