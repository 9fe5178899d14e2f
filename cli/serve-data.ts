/** The server of the data API alone, until it is told to stop. */

import { requireFreeFolder } from '@greenroom/data-folder';
import { startStandalone } from '@greenroom/server/standalone';
import { loadStandaloneConfig, type StandaloneConfig } from '@greenroom/server/standalone-settings';
import { withoutPassword } from './connection-url.ts';
import { requireFreePort } from './free-port.ts';
import { readSource } from './settings.ts';
import { untilStopped } from './until-stopped.ts';

/** Serves the database of the settings. */
export async function serveData(): Promise<number> {
  const config = await readConfigWithPort();
  return untilStopped(async (told) => {
    const dataApi = await startStandalone('data', config);
    await Promise.race([dataApi.untilReady(), told]);
    for (const line of startLines(dataApi.url, config)) process.stdout.write(`${line}\n`);
    return dataApi;
  });
}

/** As for a whole instance; without API keys no folder is needed. */
async function readConfigWithPort(): Promise<StandaloneConfig> {
  const source = await readSource();
  const config = loadStandaloneConfig(source);
  if (config.requireApiKey) await requireFreeFolder(config.dataDirectory);
  const { api } = config.listening;
  // Where others may listen, too, a port need not be free.
  if (api.kind === 'socket' || (api.isShared && api.port !== 0)) return config;
  const port = await requireFreePort(config);
  return port === config.port ? config : loadStandaloneConfig({ ...source, PORT: String(port) });
}

/** The last lines of a start; scripts wait for the very last one. */
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
