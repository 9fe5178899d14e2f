/** The settings of a command: the environment overrides `.env`, which overrides defaults. */
import { type ConfigSource, loadDotEnv } from '@greenroom/config';
import { type Config, loadConfig } from '@greenroom/server/settings';

/** Reads all settings as text. */
export async function readSource(): Promise<ConfigSource> {
  return { ...(await loadDotEnv('.env')), ...process.env };
}

/** Reads and parses the settings. */
export async function readConfig(): Promise<Config> {
  return loadConfig(await readSource());
}
