/** Runs the data API alone until it is stopped. */

import { requireFreeFolder } from '@greenroom/data-folder';
import { startStandalone } from '@greenroom/server/standalone';
import { loadStandaloneConfig, type StandaloneConfig } from '@greenroom/server/standalone-settings';
import { withoutPassword } from './connection-url.ts';
import { useLogFormat } from './log-output.ts';
import { requireFreePort } from './ports/free-port.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { explained, type ProjectOptions, readSettings } from './settings.ts';

/** Serves the configured database. */
export async function serveData(options: ProjectOptions): Promise<number> {
  const config = await readConfigWithPort(options);
  return runUntilStopped(async (stopped) => {
    const dataApi = await startStandalone('data', config);
    await Promise.race([dataApi.waitUntilReady(), stopped]);
    for (const line of startLines(dataApi.url, config)) process.stdout.write(`${line}\n`);
    return dataApi;
  });
}

/** Reads the configuration like for a whole instance, but requires a data folder only for API keys. */
async function readConfigWithPort(options: ProjectOptions): Promise<StandaloneConfig> {
  const settings = await readSettings(options);
  useLogFormat(settings.source);
  const { source } = settings;
  const config = await explained(settings, () => loadStandaloneConfig(source));
  if (config.requireApiKey) await requireFreeFolder(config.dataDirectory);
  const { api } = config.listening;
  // If the port may be shared with other servers, it need not be free.
  if (api.kind === 'socket' || (api.isShared && api.port !== 0)) return config;
  const port = await requireFreePort(config);
  return port === config.port ? config : loadStandaloneConfig({ ...source, PORT: String(port) });
}

/** Returns the last lines of a start; scripts wait for the final one. */
function startLines(url: string, { databaseUrl, requireApiKey, listening }: StandaloneConfig): string[] {
  return [
    '',
    `  data API    ${listening.api.kind === 'socket' ? url : `${url}/rest/v1`}`,
    `  database    ${withoutPassword(databaseUrl)}`,
    ...(requireApiKey ? ['  keys        npx greenroom status'] : []),
    '',
    `ready ${url}`,
  ];
}
