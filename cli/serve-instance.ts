/** The server of a whole instance, until it is told to stop. */
import { ensureBuilt } from '@greenroom/app';
import { requireFreeFolder } from '@greenroom/data-folder';
import { type BackendFacts, type Greenroom, servicesNamed, startGreenroom } from '@greenroom/server';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { withoutPassword } from './connection-url.ts';
import { requireFreePort } from './free-port.ts';
import { readSource } from './settings.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Serves the production build, or the app from its sources, or no pages.
 * @param names services to start; all, where not given. Throws where one is unknown.
 */
export async function serveInstance(pages: 'built' | 'dev' | 'none', names?: string[]): Promise<number> {
  const list = names && servicesNamed(names);
  const config = await readConfigWithPort();
  if (pages === 'built') await ensureBuilt({ log: say });
  return untilStopped(async () => {
    const instance = await startGreenroom({ config, pages, ...(list && { services: list }), say });
    const lines = pages === 'none' ? apiLines(instance, config) : startLines(instance, config);
    for (const line of lines) process.stdout.write(`${line}\n`);
    return instance;
  });
}

/**
 * A folder in use and a taken port are told before anything is started; 0 becomes the port that was found free.
 * The folder first: what holds the port then is most likely the same process, and only the folder knows which.
 */
async function readConfigWithPort(): Promise<Config> {
  const source = await readSource();
  const config = loadConfig(source);
  if (!config.app.hosted) await requireFreeFolder(config.dataDirectory);
  const port = await requireFreePort(config);
  return port === config.port ? config : loadConfig({ ...source, PORT: String(port) });
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** The last lines of a start; scripts wait for the very last one. */
function startLines({ url, backend, firstAdminUrl }: Greenroom, config: Config): string[] {
  return [
    '',
    `  app         ${config.appUrl}`,
    `  API         ${config.app.hosted?.url ?? config.externalUrl}`,
    ...(backend
      ? [`  database    ${withoutPassword(backend.databaseUrl)}`, `  data        ${dataPlace(backend)}`]
      : []),
    ...(firstAdminUrl
      ? [
          `  first admin ${firstAdminUrl}`,
          '              (open it within 1 hour: it makes you admin; npx greenroom admin-link prints another)',
        ]
      : []),
    '  keys        npx greenroom status',
    '',
    `ready ${url}`,
  ];
}

/** Those of a start without pages. */
function apiLines({ url, backend }: Greenroom, config: Config): string[] {
  return [
    '',
    `  API         ${config.externalUrl}`,
    ...(backend ? [`  database    ${withoutPassword(backend.databaseUrl)}`] : []),
    '  keys        npx greenroom status',
    '',
    `ready ${url}`,
  ];
}

/** A backup needs both folders. */
function dataPlace({ dataFolder, clusterElsewhere }: BackendFacts): string {
  return clusterElsewhere === undefined ? dataFolder : `${dataFolder} (database in ${clusterElsewhere})`;
}
