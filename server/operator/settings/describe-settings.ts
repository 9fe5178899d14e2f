/** Describes the effective settings with their sources, without secrets. */
import {
  type ConfigPaths,
  type ConfigSource,
  type ConfigValue,
  configKeysOf,
  ENVIRONMENT,
  type Layer,
  type LayerValue,
  negatedText,
  type Setting,
  settingsIn,
} from '@greenroom/config';
import { allSettings, RELOADABLE, settingsGroups } from '../../settings.ts';
import { configValueOf, type EditableKey, editableKeyOf } from './editing.ts';

/** Where the effective value of a setting comes from. */
type Source = 'default' | 'config' | 'environment' | 'env_file' | 'command_line' | 'database' | 'file';

/** Why a setting cannot be changed here. */
type Refusal =
  | 'changes'
  | 'config_file'
  | 'environment'
  | 'database'
  | 'secret'
  | 'key'
  | 'variable'
  | 'file'
  | 'restart';

/** A setting as the admin area shows it. */
interface DescribedSetting {
  name: string;
  /** Heading on the reference page. */
  group: string;
  description: string;
  allowed: string;
  /** Null for a secret and for an unset setting. */
  value: string | null;
  is_set: boolean;
  is_secret: boolean;
  default: string | null;
  source: Source;
  /** File and line, or another place. */
  origin: string;
  /** Key of config.toml. */
  key: string | null;
  /** Whether the key has the opposite of the value: `auth.enable_signup` of GOTRUE_DISABLE_SIGNUP. */
  is_negated: boolean;
  /** Key of config.toml that must be true; otherwise this one has no effect. */
  requires: string | null;
  is_reloadable: boolean;
  /** Whether the files have another value, which a restart applies. */
  needs_restart: boolean;
  refusal: Refusal | null;
  /** Null if `refusal` is set. */
  edit: {
    kind: EditableKey['kind'];
    choices: readonly string[];
    value: ConfigValue;
    is_in_file: boolean;
  } | null;
}

/** The state that is described. */
export interface SettingsState {
  /** Settings of the running instance, and those of the files. */
  running: ConfigSource;
  files: ConfigSource;
  values: Layer;
  /** Settings of the data API in the database, by the names of variables. */
  database: Readonly<Record<string, string>>;
  /** Returns the value of a key in the text of config.toml; undefined without the file. */
  written: ((path: readonly string[]) => ConfigValue | undefined) | undefined;
  mayChange: boolean;
  paths: ConfigPaths;
}

const GROUPS = new Map(
  settingsGroups
    .toReversed()
    .flatMap(({ title, tree }) => settingsIn(tree).map(({ name }) => [name, title] as const)),
);
const REFERENCE = /^env\(.*\)$/;
/** Ports that the instance has chosen differ from configured ones. */
const CHOSEN = /(?:^|_)PORT$/;

/** Describes all settings, in the order of the reference page. */
export function describeSettings(state: SettingsState): DescribedSetting[] {
  return allSettings.map((setting) => describeSetting(setting, state));
}

/** Describes one setting. */
export function describeSetting(setting: Setting, state: SettingsState): DescribedSetting {
  const { name, allowed, details } = setting;
  const found = state.database[name] === undefined ? effectiveValue(setting, state.values) : undefined;
  const text = state.database[name] ?? found?.text ?? details.default;
  const isSecret = details.secret === true;
  const source = state.database[name] === undefined ? sourceOf(found) : 'database';
  const [key] = configKeysOf(setting);
  const editable = editableKeyOf(setting);
  const refusal = findRefusal(setting, state, { source, editable });
  const isReloadable = RELOADABLE.has(name);
  return {
    name,
    group: GROUPS.get(name) ?? '',
    description: details.description,
    allowed,
    value: isSecret ? null : (text ?? null),
    is_set: text !== undefined && text !== '',
    is_secret: isSecret,
    default: details.default ?? null,
    source,
    origin: source === 'database' ? 'alter role authenticator set pgrst.…' : (found?.origin ?? ''),
    key: key?.key ?? null,
    is_negated: key?.toText === negatedText,
    requires: key?.requires ?? null,
    is_reloadable: isReloadable,
    needs_restart:
      !isReloadable && !CHOSEN.test(name) && textOf(setting, state.running) !== textOf(setting, state.files),
    refusal: refusal ?? null,
    edit: refusal === undefined && editable ? editOf(editable, text ?? '', state) : null,
  };
}

function editOf(editable: EditableKey, text: string, { written, paths }: SettingsState) {
  const { kind, choices, key } = editable;
  const inFile = written?.(key.key.split('.'));
  return {
    kind,
    choices,
    value: inFile ?? configValueOf(editable, text, paths),
    is_in_file: inFile !== undefined,
  };
}

function findRefusal(
  { name, details }: Setting,
  { written, mayChange }: SettingsState,
  { source, editable }: { source: Source; editable: EditableKey | undefined },
): Refusal | undefined {
  if (['environment', 'env_file', 'command_line'].includes(source)) return 'environment';
  if (source === 'database' || source === 'file') return source;
  if (details.secret) return 'secret';
  if (editable === undefined) return 'key';
  if (!RELOADABLE.has(name)) return 'restart';
  if (written === undefined) return 'config_file';
  const value = written(editable.key.key.split('.'));
  if (typeof value === 'string' && REFERENCE.test(value)) return 'variable';
  return mayChange ? undefined : 'changes';
}

/** Returns the value with its origin; undefined if the default applies. */
function effectiveValue({ name, details }: Setting, values: Layer): LayerValue | undefined {
  const found = values.get(name);
  return found === undefined || (found.text === '' && !details.acceptsEmpty) ? undefined : found;
}

function sourceOf(value: LayerValue | undefined): Source {
  if (value === undefined) return 'default';
  const { origin, written } = value;
  if (origin === ENVIRONMENT) return 'environment';
  if (origin === 'command line') return 'command_line';
  if (origin.startsWith('default of')) return 'default';
  if (/^supabase\/config\.toml/.test(origin)) return 'config';
  return written === undefined && origin.includes('.env') ? 'env_file' : 'file';
}

function textOf({ name, details }: Setting, source: ConfigSource): string | undefined {
  const text = source[name];
  return text === undefined || (text === '' && !details.acceptsEmpty) ? details.default : text;
}
