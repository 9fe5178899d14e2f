/** `greenroom start` and `greenroom dev`. */
import { ensureBuilt } from '@greenroom/app';
import { appUrl, type Config, loadConfig } from '@greenroom/config';
import { requireFreeFolder } from '@greenroom/data-folder';
import { choosePort } from '@greenroom/ports';
import { type Greenroom, startGreenroom } from '@greenroom/server';
import { withoutPassword } from '../connection-url.ts';
import { readSource } from '../settings.ts';
import { untilStopped } from '../until-stopped.ts';

/** Serves the production build. */
export function start(): Promise<number> {
  return serve('built');
}

/** Serves the app from its sources. */
export function dev(): Promise<number> {
  return serve('dev');
}

async function serve(pages: 'built' | 'dev'): Promise<number> {
  const config = await readConfigWithPort();
  if (pages === 'built') await ensureBuilt({ log: say });
  return untilStopped(async () => {
    const instance = await startGreenroom({ config, pages, say });
    for (const line of startLines(instance, config)) process.stdout.write(`${line}\n`);
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
  const port = await choosePort({ host: config.host, port: config.port, fixed: true }).catch(
    (error: Error) => {
      throw new Error(`${error.message}. Set PORT to another one, or 0 for any free one.`, { cause: error });
    },
  );
  return port === config.port ? config : loadConfig({ ...source, PORT: String(port) });
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** The last lines of a start; scripts wait for the very last one. */
function startLines({ url, backend, firstAdminUrl }: Greenroom, config: Config): string[] {
  return [
    '',
    `  app         ${appUrl(config, url)}`,
    `  API         ${config.app.hosted?.url ?? url}`,
    ...(backend ? [`  database    ${withoutPassword(backend.databaseUrl)}`] : []),
    ...(firstAdminUrl
      ? [`  first admin ${firstAdminUrl}`, '              (opens once, for whoever should be admin)']
      : []),
    '  keys        npx greenroom status',
    '',
    `ready ${url}`,
  ];
}
