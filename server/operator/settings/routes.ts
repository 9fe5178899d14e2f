/** `/operator/v1/settings` and `/operator/v1/templates`: the effective settings, their changes, and checks of connections. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { failure } from '../errors.ts';
import { parseRequest } from '../parse-request.ts';
import type { OperatorRoutes } from '../plugin.ts';
import { type ConfigChanger, createConfigChanger, keysOfChanges, settingNamed } from './change-settings.ts';
import { checkConnection, checkedConnection, connectionsOf } from './checks.ts';
import { hashOf } from './config-text.ts';
import { describeSetting, describeSettings } from './describe-settings.ts';
import { readState, requireChanges, requireEditable, type SettingsSources } from './settings-access.ts';
import { changeOfTemplate, templateSettingsOf, templateText } from './template-change.ts';

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
export function settingsRoutes(sources: SettingsSources): OperatorRoutes {
  const changer = sources.files && createConfigChanger(sources.files);
  const requireChanger = () => {
    if (changer === undefined) throw failure('config_file_missing');
    return changer;
  };
  return (server) => {
    registerSettings(server, sources, requireChanger);
    registerTemplates(server, sources, requireChanger);
    server.post('/settings/test', async (request) => {
      const connection = parseRequest(checkedConnection, request.body);
      const { isOk, message } = await checkConnection(connection, sources.config(), sources.database);
      return { is_ok: isOk, message };
    });
  };
}

function registerSettings(
  server: FastifyInstance,
  sources: SettingsSources,
  requireChanger: () => ConfigChanger,
): void {
  server.get('/settings', async () => {
    const { state, refusal, text, path } = await readState(sources);
    return {
      settings: describeSettings(state),
      connections: connectionsOf(sources.config()),
      config_path: path,
      config_hash: text === undefined ? null : hashOf(text),
      refusal: refusal ?? null,
    };
  });
  server.patch('/settings', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
    const { config_hash: hash, changes } = parseRequest(settingChanges, request.body);
    const project = await requireChanges(sources);
    const names = changes.map(({ name }) => name);
    const before = await requireEditable(sources, names);
    const outcome = await requireChanger().change(project, { hash, keys: keysOfChanges(project, changes) });
    return { ...responseOf(outcome), before, after: await requireEditable(sources, names) };
  });
}

function registerTemplates(
  server: FastifyInstance,
  sources: SettingsSources,
  requireChanger: () => ConfigChanger,
): void {
  server.get('/templates/:kind', async (request) => {
    const { kind } = parseRequest(templatePath, request.params);
    const { state, text } = await readState(sources);
    const refusals = Object.values(templateSettingsOf(kind)).map(
      (name) => describeSetting(settingNamed(name), state).refusal,
    );
    return {
      config_hash: text === undefined ? null : hashOf(text),
      refusal: refusals.find((refusal) => refusal !== null) ?? null,
    };
  });
  server.put('/templates/:kind', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
    const { kind } = parseRequest(templatePath, request.params);
    const text = parseRequest(templateText, request.body);
    const names = templateSettingsOf(kind);
    const project = await requireChanges(sources);
    await requireEditable(sources, Object.values(names));
    const location = sources.files?.current().values.get(names.body)?.text || undefined;
    const change = changeOfTemplate(kind, text, project, location);
    return responseOf(await requireChanger().change(project, { hash: text.config_hash, ...change }));
  });
}

interface Outcome {
  hash: string;
  applied: readonly string[];
  needRestart: readonly string[];
}

function responseOf({ hash, applied, needRestart }: Outcome) {
  return { config_hash: hash, applied, need_restart: needRestart };
}
