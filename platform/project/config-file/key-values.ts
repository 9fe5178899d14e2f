/** Conversions of values of config.toml that are not settings. Undefined: the value is not allowed. */
import type { ConfigValue } from '@greenroom/config';

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
