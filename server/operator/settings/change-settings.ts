/**
 * Changes settings in the config.toml of the project, and applies them: read → compare with the version that the administrator has
 * seen → edit the text → write → reload. If the instance rejects the new settings, the former files are restored.
 */
import { join } from 'node:path';
import { ConfigError, type ConfigValue, type Setting } from '@greenroom/config';
import type { Project } from '@greenroom/project';
import type { ReloadedSettings } from '../../reload-settings.ts';
import { allSettings } from '../../settings.ts';
import { failure } from '../errors.ts';
import { hashOf, readIfExists, replaceFile } from './config-text.ts';
import { editableKeyOf, findMistake } from './editing.ts';
import type { SettingsFiles } from './settings-files.ts';

/** A new value of a setting, as config.toml has it; null removes the key. */
interface SettingChange {
  name: string;
  value: ConfigValue | null;
}

/** A new value of a key. */
export interface KeyChange {
  key: string;
  value: ConfigValue | undefined;
}

/** A file of the project with its new text; undefined removes it. */
export interface FileChange {
  path: string;
  text: string | undefined;
}

/** The changes of one request. */
interface ConfigChange {
  /** The version of config.toml that the administrator has seen. */
  hash: string;
  keys: readonly KeyChange[];
  files?: readonly FileChange[];
}

/** The outcome of a change. */
interface ConfigChanged extends ReloadedSettings {
  hash: string;
}

/** Changes settings, one after the other. */
export interface ConfigChanger {
  change(project: Project, change: ConfigChange): Promise<ConfigChanged>;
}

/** Creates the changer of an instance. */
export function createConfigChanger(files: SettingsFiles): ConfigChanger {
  let last: Promise<unknown> = Promise.resolve();
  return {
    change(project, change) {
      const outcome = last.then(() => changeConfig(files, project, change));
      last = outcome.catch(() => undefined);
      return outcome;
    },
  };
}

async function changeConfig(
  files: SettingsFiles,
  project: Project,
  { hash, keys, files: others = [] }: ConfigChange,
): Promise<ConfigChanged> {
  const path = configPathOf(project);
  const former = await readIfExists(path);
  if (former === undefined) throw failure('config_file_missing');
  if (hashOf(former) !== hash) throw failure('config_changed', { extra: { config_hash: hashOf(former) } });
  const text = await editedText(former, keys);
  const restored = await Promise.all(
    others.map(async (file) => ({ path: file.path, text: await readIfExists(file.path) })),
  );
  try {
    for (const file of others) await replaceFile(file.path, file.text);
    await replaceFile(path, text);
    return { ...(await files.reload()), hash: hashOf(text) };
  } catch (error) {
    for (const file of [{ path, text: former }, ...restored]) await replaceFile(file.path, file.text);
    throw refusalOf(error);
  }
}

/** Path of the config.toml of a project. */
export function configPathOf({ supabaseFolder }: Project): string {
  return join(supabaseFolder, 'config.toml');
}

async function editedText(text: string, keys: readonly KeyChange[]): Promise<string> {
  const { ConfigEditError, editConfigText } = await import('@greenroom/project/config-file');
  try {
    return keys.reduce((edited, { key, value }) => editConfigText(edited, key.split('.'), value), text);
  } catch (error) {
    if (error instanceof ConfigEditError) throw failure('setting_not_editable', { message: error.message });
    throw error;
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  const problems = error.problems.map(({ name, allowed }) => ({ name, allowed }));
  return failure('invalid_settings', { message: error.message, extra: { problems } });
}

/**
 * Returns the keys of config.toml for new values of settings. Throws an error of the catalogue for a setting that does not exist or
 * has no single key, and for values that are not allowed.
 */
export function keysOfChanges(project: Project, changes: readonly SettingChange[]): KeyChange[] {
  const problems: { name: string; allowed: string }[] = [];
  const keys = changes.map(({ name, value }) => {
    const setting = settingNamed(name);
    const editable = editableKeyOf(setting);
    if (editable === undefined) throw failure('setting_not_editable');
    const mistake = value === null ? undefined : findMistake(setting, editable, value, project);
    if (mistake !== undefined) problems.push({ name, allowed: mistake });
    return { key: editable.key.key, value: value ?? undefined };
  });
  if (problems.length === 0) return keys;
  const [first] = problems;
  const message = `${first?.name} is not allowed. Allowed: ${first?.allowed}`;
  throw failure('invalid_settings', { message, extra: { problems } });
}

/** Returns a setting. Throws `setting_not_found`. */
export function settingNamed(name: string): Setting {
  const setting = allSettings.find((each) => each.name === name);
  if (setting === undefined) throw failure('setting_not_found');
  return setting;
}
