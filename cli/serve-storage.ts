/** The server of storage alone, until it is told to stop. */

import { requireFreeFolder } from '@greenroom/data-folder';
import { startStandalone } from '@greenroom/server/standalone';
import { loadStandaloneConfig, type StandaloneConfig } from '@greenroom/server/standalone-settings';
import { withoutPassword } from './connection-url.ts';
import { requireFreePort } from './free-port.ts';
import { readSource } from './settings.ts';
import { untilStopped } from './until-stopped.ts';

/** Serves the database of the settings. */
export async function serveStorage(): Promise<number> {
  const config = await readConfigWithPort();
  return untilStopped(async () => {
    const storage = await startStandalone('storage', config);
    for (const line of startLines(storage.url, config)) process.stdout.write(`${line}\n`);
    return storage;
  });
}

/** As for a whole instance: content and keys are in its folder. */
async function readConfigWithPort(): Promise<StandaloneConfig> {
  const source = await readSource();
  const config = loadStandaloneConfig(source);
  await requireFreeFolder(config.dataDirectory);
  const port = await requireFreePort(config);
  return port === config.port ? config : loadStandaloneConfig({ ...source, PORT: String(port) });
}

/** The last lines of a start; scripts wait for the very last one. */
function startLines(url: string, { databaseUrl }: StandaloneConfig): string[] {
  return [
    '',
    `  storage     ${url}/storage/v1`,
    `  database    ${withoutPassword(databaseUrl)}`,
    '  keys        npx greenroom status',
    '',
    `ready ${url}`,
  ];
}
