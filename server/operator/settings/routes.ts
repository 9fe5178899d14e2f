/** `/operator/v1/settings` and `/operator/v1/templates`: the effective settings, their changes, and checks of connections. */
import { findSchemaRefusal } from '@greenroom/meta/schema-changes';
import type { Database } from '@greenroom/postgres';
import type { Project } from '@greenroom/project';
import { z } from 'zod';
import type { Config } from '../../settings.ts';
import { failure } from '../errors.ts';
import { parseRequest } from '../parse-request.ts';
import type { OperatorRoutes } from '../plugin.ts';
import { configPathOf, createConfigChanger, keysOfChanges, settingNamed } from './change-settings.ts';
import { checkConnection, checkedConnection, connectionsOf } from './checks.ts';
import { hashOf, readIfExists } from './config-text.ts';
import { readDatabaseSettings } from './database-settings.ts';
import { describeSetting, describeSettings, type SettingsState } from './describe-settings.ts';
import type { SettingsFiles } from './settings-files.ts';
import { changeOfTemplate, templateSettingsOf, templateText } from './template-change.ts';

/** The parts that the routes use. */
interface SettingsRoutesParts {
  /** Returns the configuration of the running instance. */
  config(): Config;
  /** Undefined if the instance was not started from files, e.g. in a test. */
  files: SettingsFiles | undefined;
  database: Database;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()]);
const settingChanges = z.strictObject({
  config_hash: z.string(),
  changes: z
    .array(z.strictObject({ name: z.string(), value: z.union([scalar, z.array(z.string())]).nullable() }))
    .min(1)
    .max(100),
});
const templatePath = z.strictObject({ kind: z.string().max(100) });

/** Registers the routes. */
export function settingsRoutes({ config, files, database }: SettingsRoutesParts): OperatorRoutes {
  const changer = files && createConfigChanger(files);

  return (server) => {
    server.get('/settings', async () => {
      const { state, refusal, text, path } = await readState();
      return {
        settings: describeSettings(state),
        connections: connectionsOf(config()),
        config_path: path,
        config_hash: text === undefined ? null : hashOf(text),
        refusal: refusal ?? null,
      };
    });
    server.patch('/settings', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
      const { config_hash: hash, changes } = parseRequest(settingChanges, request.body);
      const project = await requireChanges();
      const before = await describeNamed(changes.map(({ name }) => name));
      const outcome = await requireChanger().change(project, { hash, keys: keysOfChanges(project, changes) });
      const after = await describeNamed(changes.map(({ name }) => name));
      return { ...responseOf(outcome), before, after };
    });
    server.put('/templates/:kind', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
      const { kind } = parseRequest(templatePath, request.params);
      const text = parseRequest(templateText, request.body);
      const names = templateSettingsOf(kind);
      const project = await requireChanges();
      await describeNamed(Object.values(names));
      const location = files?.current().values.get(names.body)?.text || undefined;
      const change = changeOfTemplate(kind, text, project, location);
      return responseOf(await requireChanger().change(project, { hash: text.config_hash, ...change }));
    });
    server.post('/settings/test', async (request) => {
      const result = await checkConnection(parseRequest(checkedConnection, request.body), config(), database);
      return { is_ok: result.isOk, message: result.message };
    });
  };

  function requireChanger() {
    if (changer === undefined) throw failure('config_file_missing');
    return changer;
  }

  /** Returns the project if its settings may be changed. */
  async function requireChanges(): Promise<Project> {
    const { refusal, project } = await readState();
    if (refusal !== undefined) throw failure('changes_not_allowed');
    if (project === undefined) throw failure('config_file_missing');
    return project;
  }

  /** Returns the settings by their names. Throws `setting_not_editable` if one of them has another source than config.toml. */
  async function describeNamed(names: readonly string[]) {
    const { state } = await readState();
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

  async function readState() {
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
}

function responseOf({
  hash,
  applied,
  needRestart,
}: {
  hash: string;
  applied: readonly string[];
  needRestart: readonly string[];
}) {
  return { config_hash: hash, applied, need_restart: needRestart };
}

/** Loaded on demand, because most of it is the parser. */
async function readerOf(text: string): Promise<SettingsState['written']> {
  const { parseConfigDocument, valueAt } = await import('@greenroom/project/config-file');
  const { values } = parseConfigDocument(text, 'supabase/config.toml');
  return (path) => valueAt(values, path);
}
