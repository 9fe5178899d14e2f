/** Translates config.toml to the settings that declare its keys. */
import {
  type ConfigKey,
  type ConfigPaths,
  type ConfigProblem,
  type ConfigValue,
  ConfigValueError,
  configKeysOf,
  type Layer,
  type LayerValue,
  type Setting,
  scalarText,
} from '@greenroom/config';
import { isTable, shownValue, valueAt } from './document.ts';
import type { InterpolatedDocument } from './interpolate.ts';

/** Values that dotenvx has encrypted (ECIES). */
const ENCRYPTED = /^encrypted:/;

/** The settings of a config.toml. */
export interface Translation {
  /** Settings whose keys are in the file. */
  values: Layer;
  /** Settings whose keys are not in the file, and whose defaults there differ from Greenroom's. */
  defaults: Layer;
  problems: readonly ConfigProblem[];
  warnings: readonly string[];
}

/** Translates the keys of a document. Values that are not allowed are problems; they leave the setting unset. */
export function translate(
  document: InterpolatedDocument,
  settings: readonly Setting[],
  paths: ConfigPaths,
): Translation {
  const values = new Map<string, LayerValue>();
  const defaults = new Map<string, LayerValue>();
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  for (const setting of settings) {
    const keys = configKeysOf(setting).filter((key) => isEffective(document, key));
    const outcome = readFirst(document, setting, keys, paths);
    if (outcome.kind === 'problem') problems.push(outcome.problem);
    if (outcome.kind === 'value') values.set(setting.name, outcome.value);
    if (outcome.kind !== 'problem' && outcome.warning !== undefined) warnings.push(outcome.warning);
    if (outcome.kind !== 'unset') continue;
    const fallback = defaultOf(document, keys, paths);
    if (fallback !== undefined) defaults.set(setting.name, fallback);
  }
  return { values, defaults, problems, warnings };
}

/** Whether the key that this one requires is true. */
function isEffective({ values }: InterpolatedDocument, { requires, requiresTableOnly }: ConfigKey): boolean {
  if (requires === undefined) return true;
  const path = requires.split('.');
  const required = valueAt(values, path);
  if (required === undefined && requiresTableOnly) return isTable(valueAt(values, path.slice(0, -1)));
  return required === true || required === 'true';
}

type Outcome =
  | { kind: 'unset'; warning?: string }
  | { kind: 'problem'; problem: ConfigProblem }
  | { kind: 'value'; value: LayerValue; warning: string | undefined };

/** Reads the first key that is in the file and does not leave the setting unset. */
function readFirst(
  document: InterpolatedDocument,
  setting: Setting,
  keys: readonly ConfigKey[],
  paths: ConfigPaths,
): Outcome {
  for (const key of keys) {
    const path = writtenPath(document, key);
    const value = path && valueAt(document.values, path);
    if (path === undefined || value === undefined) continue;
    const outcome = readKey({ document, setting, key, path, value, paths });
    if (outcome.kind !== 'unset' || outcome.warning !== undefined) return outcome;
  }
  return { kind: 'unset' };
}

/** The path of the key or, if only that is in the file, of a former spelling. */
function writtenPath({ values }: InterpolatedDocument, { key, formerKeys = [] }: ConfigKey) {
  const spellings = [key, ...formerKeys].map((each) => each.split('.'));
  return spellings.find((path) => valueAt(values, path) !== undefined);
}

interface FoundKey {
  document: InterpolatedDocument;
  setting: Setting;
  key: ConfigKey;
  path: readonly string[];
  value: ConfigValue;
  paths: ConfigPaths;
}

function readKey({ document, setting, key, path, value, paths }: FoundKey): Outcome {
  const origin = document.placeOf(path);
  const written = { name: path.join('.'), value: shownValue(value) };
  const problemOf = (allowed: string): Outcome => {
    const shown = setting.details.secret ? undefined : written.value;
    return { kind: 'problem', problem: { name: written.name, value: shown, allowed, origin } };
  };
  if (typeof value === 'string' && ENCRYPTED.test(value)) {
    return problemOf('a plain value or env(NAME); Greenroom cannot decrypt values of dotenvx');
  }
  try {
    const warning = warningOf(document, key, path);
    if (warning !== undefined && key.omitsUnsetVariable) return { kind: 'unset', warning };
    const text = (key.toText ?? scalarText)(value, paths);
    return text === undefined
      ? { kind: 'unset' }
      : { kind: 'value', value: { text, origin, written }, warning };
  } catch (error) {
    if (error instanceof ConfigValueError) return problemOf(error.allowed);
    throw error;
  }
}

/** Returns the warning about a reference to an unset variable. */
function warningOf(
  document: InterpolatedDocument,
  { omitsUnsetVariable }: ConfigKey,
  path: readonly string[],
): string | undefined {
  const variable = document.unsetVariables.get(JSON.stringify(path));
  if (variable === undefined) return undefined;
  const effect = omitsUnsetVariable ? 'has no effect' : `is the text "env(${variable})"`;
  return `${document.placeOf(path)}: ${path.join('.')} ${effect}, because the variable ${variable} is unset`;
}

/** The default of the file format for the first key that has one. */
function defaultOf(
  document: InterpolatedDocument,
  keys: readonly ConfigKey[],
  paths: ConfigPaths,
): LayerValue | undefined {
  const key = keys.find((each) => each.default !== undefined);
  if (key?.default === undefined) return undefined;
  const text = (key.toText ?? scalarText)(key.default, paths);
  if (text === undefined) return undefined;
  const written = { name: key.key, value: shownValue(key.default) };
  return { text, origin: `default of ${document.path}`, written };
}
