/**
 * Keys of `supabase/config.toml` that set a setting. A setting declares its keys in its details; the translation of a
 * file, the list of known keys and the reference page follow from these declarations.
 */

/** A value of config.toml after parsing. Dates are kept as their text. */
export type ConfigValue =
  | string
  | number
  | bigint
  | boolean
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

/** Folders to which paths in config.toml are relative. */
export interface ConfigPaths {
  /** Folder that contains `supabase/`. */
  folder: string;
  supabaseFolder: string;
}

/**
 * Converts the value of a key to the text of its setting. Undefined leaves the setting unset.
 * @throws ConfigValueError if the value is not allowed
 */
export type ConfigConversion = (value: ConfigValue, paths: ConfigPaths) => string | undefined;

/** A key of config.toml that sets a setting. */
export interface ConfigKey {
  /** Path of the key, e.g. `auth.jwt_expiry`. */
  key: string;
  /** Earlier spellings that are still read if the key itself is missing. */
  formerKeys?: readonly string[];
  /** Default: a text, number or boolean is taken as it is, and other values are rejected. */
  toText?: ConfigConversion;
  /**
   * Value that applies if the file does not contain the key; declared only if it differs from the default of the
   * setting.
   */
  default?: ConfigValue;
  /** Settings that replace this default if any of them is set. */
  defaultUnless?: readonly string[];
  /** Whether the key counts as missing if its value is `env(NAME)` and the variable is unset. Default: the text stays. */
  omitsUnsetVariable?: boolean;
  /** Key that must be true; otherwise this key has no effect. */
  requires?: string;
  /** Whether the key of `requires` is true where its table exists without it. */
  requiresTableOnly?: boolean;
  /** Name on the reference page that the keys of several settings share, e.g. `auth.external.<provider>.url`. */
  documentedAs?: string;
  /** Keys of the table that is the value. `any`: the names are the user's. */
  members?: readonly string[] | 'any';
}

/** A value of config.toml that is not allowed. */
export class ConfigValueError extends Error {
  override readonly name = 'ConfigValueError';
  /** Description of the allowed values. */
  readonly allowed: string;

  constructor(allowed: string) {
    super(`allowed: ${allowed}`);
    this.allowed = allowed;
  }
}

/** The keys of a setting as they are declared: one without details, one, or several. */
export type ConfigKeys = string | ConfigKey | readonly ConfigKey[];

/** Returns the keys of config.toml that set a setting; the first that is set decides. */
export function configKeysOf({ details }: { details: { configKey?: ConfigKeys } }): readonly ConfigKey[] {
  const { configKey } = details;
  if (configKey === undefined) return [];
  if (typeof configKey === 'string') return [{ key: configKey }];
  return 'key' in configKey ? [configKey] : configKey;
}
