/** Runs storage alone until it is stopped. */

import { requireFreeFolder } from '@greenroom/data-folder';
import { startStandalone } from '@greenroom/server/standalone';
import { loadStandaloneConfig, type StandaloneConfig } from '@greenroom/server/standalone-settings';
import { withoutPassword } from './connection-url.ts';
import { useLogFormat } from './log-output.ts';
import { requireFreePort } from './ports/free-port.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { explained, type ProjectOptions, readSettings } from './settings.ts';

/** Serves the configured database. */
export async function serveStorage(options: ProjectOptions): Promise<number> {
  const config = await readConfigWithPort(options);
  return runUntilStopped(async () => {
    const storage = await startStandalone('storage', config);
    for (const line of startLines(storage.url, config)) process.stdout.write(`${line}\n`);
    return storage;
  });
}

/** Reads the configuration like for a whole instance: content and keys are in its data folder. */
async function readConfigWithPort(options: ProjectOptions): Promise<StandaloneConfig> {
  const settings = await readSettings(options);
  useLogFormat(settings.source);
  const { source } = settings;
  const config = await explained(settings, () => loadStandaloneConfig(source));
  await requireFreeFolder(config.dataDirectory);
  const port = await requireFreePort(config);
  return port === config.port ? config : loadStandaloneConfig({ ...source, PORT: String(port) });
}

/** Returns the last lines of a start; scripts wait for the final one. */
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
