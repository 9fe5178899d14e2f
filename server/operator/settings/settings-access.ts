/** The state of the settings, and the checks before they are changed. */
import { findSchemaRefusal } from '@greenroom/meta/schema-changes';
import type { Database } from '@greenroom/postgres';
import type { Project } from '@greenroom/project';
import type { Config } from '../../settings.ts';
import { failure } from '../errors.ts';
import { configPathOf, settingNamed } from './change-settings.ts';
import { readIfExists } from './config-text.ts';
import { readDatabaseSettings } from './database-settings.ts';
import { describeSetting, type SettingsState } from './describe-settings.ts';
import type { SettingsFiles } from './settings-files.ts';

/** The sources of the settings. */
export interface SettingsSources {
  /** Returns the configuration of the running instance. */
  config(): Config;
  /** Undefined if the instance was not started from files, e.g. in a test. */
  files: SettingsFiles | undefined;
  database: Database;
}

/** Reads the settings with the text of config.toml; undefined if there is none. */
export async function readState({ config, files, database }: SettingsSources) {
  const running = config();
  const current = files?.current();
  const project = current?.project;
  const path = project === undefined ? null : configPathOf(project);
  const text = path === null ? undefined : await readIfExists(path);
  const refusal = await findSchemaRefusal({
    setting: running.meta.schemaChanges,
    appUrl: running.appUrl,
    supabaseFolder: project?.supabaseFolder,
  });
  const state: SettingsState = {
    running: running.source,
    files: current?.source ?? running.source,
    values: current?.values ?? new Map(),
    database: await readDatabaseSettings(database),
    written: text === undefined ? undefined : await readerOf(text),
    mayChange: refusal === undefined,
    paths: project ?? { folder: '.', supabaseFolder: './supabase' },
  };
  return { state, refusal, text, path, project };
}

/** Loaded on demand, because most of it is the parser. */
async function readerOf(text: string): Promise<SettingsState['written']> {
  const { parseConfigDocument, valueAt } = await import('@greenroom/project/config-file');
  const { values } = parseConfigDocument(text, 'supabase/config.toml');
  return (path) => valueAt(values, path);
}

/** Returns the project if its settings may be changed. Throws an error of the catalogue otherwise. */
export async function requireChanges(sources: SettingsSources): Promise<Project> {
  const { refusal, project } = await readState(sources);
  if (refusal !== undefined) throw failure('changes_not_allowed');
  if (project === undefined) throw failure('config_file_missing');
  return project;
}

/** Returns the values of settings. Throws `setting_not_editable` if one of them has another source than config.toml. */
export async function requireEditable(sources: SettingsSources, names: readonly string[]) {
  const { state } = await readState(sources);
  const described = names.map((name) => describeSetting(settingNamed(name), state));
  for (const { refusal, name } of described) {
    if (refusal !== null && refusal !== 'key')
      throw failure('setting_not_editable', {
        message: `${name} cannot be changed here.`,
        extra: { refusal },
      });
  }
  return described.map(({ name, value, source }) => ({ name, value, source }));
}
