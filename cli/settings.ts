/** The settings that a command works with: environment over `.env` over defaults. */
import { type ConfigSource, loadDotEnv } from '@greenroom/config';
import { type Config, loadConfig } from '@greenroom/server/settings';

/** Everything that is set, as text. */
export async function readSource(): Promise<ConfigSource> {
  return { ...(await loadDotEnv('.env')), ...process.env };
}

/** The parsed settings. */
export async function readConfig(): Promise<Config> {
  return loadConfig(await readSource());
}
