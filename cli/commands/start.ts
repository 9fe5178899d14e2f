/** `greenroom start` and `greenroom dev`. */
import { ensureBuilt } from '@greenroom/app';
import { type Config, loadConfig } from '@greenroom/config';
import { choosePort } from '@greenroom/ports';
import { type Greenroom, startGreenroom } from '@greenroom/server';
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
  const instance = await startGreenroom({ config, pages, say });
  for (const line of startLines(instance, config)) process.stdout.write(`${line}\n`);
  return untilStopped(() => instance.close());
}

/** A taken port is told before anything is started; 0 becomes the port that was found free. */
async function readConfigWithPort(): Promise<Config> {
  const source = await readSource();
  const config = loadConfig(source);
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
    `  app         ${config.siteUrl ?? url}`,
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

/** A terminal's scrollback and a service's journal are no places for a password. */
function withoutPassword(databaseUrl: string): string {
  const shown = new URL(databaseUrl);
  shown.password = '';
  return shown.href;
}
