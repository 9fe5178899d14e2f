/** The declaration of a setting: one environment variable with its schema, its default and its documentation. */
import type { z } from 'zod';

/** How the contents of a file become the text of a setting: without blanks at both ends, or without the last line break. */
export type FileContents = 'trimmed' | 'verbatim';

/** Details of a declaration. */
export interface SettingDetails<D extends string | undefined = string | undefined> {
  /** One sentence for the reference page. */
  description: string;
  /** As text, parsed by the same schema; undefined: the value is undefined. */
  default: D;
  /** Whether the value is never shown, not even in an error about it. */
  secret?: boolean;
  /** Whether an empty text is a value and does not mean that the setting is unset. */
  takesEmpty?: boolean;
  /** Whether `@path` in the environment is replaced by the contents of that file. */
  file?: FileContents;
  /** Earlier names that are still read where the name itself is unset. */
  formerNames?: readonly string[];
  /** Name on the reference page of all settings that are declared alike, e.g. `GOTRUE_EXTERNAL_<PROVIDER>_URL`. */
  documentedAs?: string;
}

/** A declared setting with values of type `T`. Made by {@link setting} and the kinds in ./kinds.ts. */
export class Setting<T = unknown> {
  /** Environment variable. */
  readonly name: string;
  readonly schema: z.ZodType<T, string>;
  /** Allowed texts, in words. */
  readonly allowed: string;
  readonly details: SettingDetails;

  constructor(name: string, schema: z.ZodType<T, string>, allowed: string, details: SettingDetails) {
    this.name = name;
    this.schema = schema;
    this.allowed = allowed;
    this.details = details;
  }

  /** The same setting with converted values, e.g. seconds as milliseconds. An undefined value stays undefined. */
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

/** The type of a setting with values of `T` and this default: without one, the value may be undefined. */
export type SettingOf<T, D extends string | undefined> = Setting<D extends string ? T : T | undefined>;

/**
 * Declares a setting.
 * @param schema turns its text into its value
 * @param allowed allowed texts, in words, for error messages and the reference page
 */
export function setting<T, const D extends string | undefined>(
  name: string,
  schema: z.ZodType<T, string>,
  allowed: string,
  details: SettingDetails<D>,
): SettingOf<T, D> {
  return new Setting(name, schema, allowed, details) as unknown as SettingOf<T, D>;
}
