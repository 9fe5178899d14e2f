/** The topics of the routes for operators of an instance with a local backend. A new topic is added here. */
import type { Backend } from '../backend.ts';
import type { Config } from '../settings.ts';
import { keysRoutes } from './keys/routes.ts';
import type { OperatorRoutes } from './plugin.ts';
import { settingsRoutes } from './settings/routes.ts';
import type { SettingsFiles } from './settings/settings-files.ts';

/** The parts that topics use. */
interface TopicParts {
  /** Undefined on a hosted backend, which has no topics. */
  backend: Backend | undefined;
  /** Configuration of the start. */
  config: Config;
  /** Returns the configuration of the running instance; undefined while it starts. */
  running(): Config | undefined;
  settingsFiles?: SettingsFiles | undefined;
}

/** Returns the topics of an instance. */
export function operatorTopics({ backend, config, running, settingsFiles }: TopicParts): OperatorRoutes[] {
  if (backend === undefined) return [];
  return [
    settingsRoutes({ config: () => running() ?? config, files: settingsFiles, database: backend.admin }),
    keysRoutes({ config, keys: backend.keys.apiKeys }),
  ];
}
