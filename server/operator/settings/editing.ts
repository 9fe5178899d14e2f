/** Conversions between the settings of an instance and the values that config.toml has for them. */
import {
  type ConfigKey,
  type ConfigPaths,
  type ConfigValue,
  ConfigValueError,
  configKeysOf,
  listText,
  negatedText,
  pairsText,
  type Setting,
  scalarText,
  splitList,
} from '@greenroom/config';
import { z } from 'zod';

/** How a value is edited. */
type EditKind = 'boolean' | 'number' | 'text' | 'list' | 'choice';

/** A setting that has one key of config.toml with a simple value. */
export interface EditableKey {
  key: ConfigKey;
  kind: EditKind;
  choices: readonly string[];
}

const NUMBER = /^a (?:whole )?number/;

/** Returns how a setting is edited; undefined if several keys set it, or a table. */
export function editableKeyOf(setting: Setting): EditableKey | undefined {
  const [key, ...others] = configKeysOf(setting);
  if (key === undefined || others.length > 0 || key.members !== undefined || key.toText === pairsText)
    return undefined;
  const choices = choicesOf(setting);
  return { key, choices, kind: kindOf(setting, key, choices) };
}

function kindOf({ allowed }: Setting, { toText }: ConfigKey, choices: readonly string[]): EditKind {
  if (toText === listText) return 'list';
  if (toText === negatedText || allowed === 'true, false') return 'boolean';
  if (toText === undefined && choices.length > 0) return 'choice';
  return toText === undefined && NUMBER.test(allowed) ? 'number' : 'text';
}

function choicesOf({ schema }: Setting): readonly string[] {
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** Returns the value that config.toml would have for the text of a setting. */
export function configValueOf({ key, kind }: EditableKey, text: string, paths: ConfigPaths): ConfigValue {
  const { toText = scalarText } = key;
  if (kind === 'list') return splitList(text);
  if (kind === 'boolean') return toText(true, paths) === text;
  return kind === 'number' ? Number(text) : text;
}

const VALUES: Readonly<Record<EditKind, z.ZodType<ConfigValue>>> = {
  boolean: z.boolean(),
  number: z.number(),
  text: z.string().max(100_000),
  choice: z.string().max(1000),
  list: z.array(z.string().max(10_000)).max(1000),
};

/**
 * Checks a new value of a key.
 * @returns the reason if it is not allowed
 */
export function findMistake(
  setting: Setting,
  { key, kind }: EditableKey,
  value: unknown,
  paths: ConfigPaths,
): string | undefined {
  const parsed = VALUES[kind].safeParse(value);
  if (!parsed.success) return setting.allowed;
  try {
    const text = (key.toText ?? scalarText)(parsed.data, paths);
    return text === undefined || setting.schema.safeParse(text).success ? undefined : setting.allowed;
  } catch (error) {
    if (error instanceof ConfigValueError) return error.allowed;
    throw error;
  }
}
