/** Runs a whole instance until it is stopped. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireFreeFolder } from '@greenroom/data-folder';
import { type BackendInfo, type Greenroom, servicesNamed, startGreenroom } from '@greenroom/server';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { withoutPassword } from './connection-url.ts';
import { ensureBuilt } from './ensure-built.ts';
import { projectToRun } from './project.ts';
import { type RegisteredStart, registerStart } from './register-start.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { explained, type ProjectOptions, printWarnings, readSettings, type Settings } from './settings.ts';

/**
 * Serves the production build, or the app from its sources, or no pages.
 * @param names services to start. Default: all. Throws if one is unknown.
 */
export async function serveInstance(
  pages: 'built' | 'dev' | 'none',
  options: ProjectOptions,
  names?: string[],
): Promise<number> {
  const list = names && servicesNamed(names);
  const settings = await readSettings(options);
  printWarnings(settings);
  return explained(settings, () => serve(pages, settings, list));
}

async function serve(
  requested: 'built' | 'dev' | 'none',
  settings: Settings,
  list: ReturnType<typeof servicesNamed> | undefined,
): Promise<number> {
  await using start = await prepareStart(settings);
  const { config, chooseDatabasePort } = start;
  const pages = list === undefined ? pagesOf(requested, config) : requested;
  if (pages === 'built') await ensureBuilt({ createsDatabase: createsDatabase(config), log: onProgress });
  // Awaited, because the end of this function ends the registration.
  return await runUntilStopped(async () => {
    const instance = await startGreenroom({
      config,
      project: projectToRun(settings),
      pages,
      ...(list && { services: list }),
      chooseDatabasePort,
      onProgress,
    }).catch(start.fail);
    await start.markReady();
    const lines = pages === 'none' ? apiLines(instance, config) : startLines(instance, config);
    for (const line of lines) process.stdout.write(`${line}\n`);
    return instance;
  });
}

/**
 * Reports a folder in use or a taken port before anything is started; port 0 becomes a free port. The folder is checked
 * first: the port is most likely taken by the same process, and only the folder contains its id.
 */
async function prepareStart(settings: Settings): Promise<RegisteredStart> {
  const config = loadConfig(settings.source);
  if (!config.app.hosted) await requireFreeFolder(config.dataDirectory);
  return registerStart(settings, config, onProgress);
}

/** The pages need authentication, which the configuration may disable. */
function pagesOf<P extends string>(requested: P, { enabledServices, app }: Config): P | 'none' {
  if (enabledServices.auth || app.hosted) return requested;
  onProgress('authentication is disabled, so there are no pages');
  return 'none';
}

/** Whether the start will create the embedded database. */
function createsDatabase({ app, databaseUrl, dataDirectory }: Config): boolean {
  return !app.hosted && databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres'));
}

function onProgress(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Returns the last lines of a start; scripts wait for the final one. */
function startLines({ url, backend, firstAdminUrl }: Greenroom, config: Config): string[] {
  return [
    '',
    `  app         ${config.appUrl}`,
    `  API         ${config.app.hosted?.url ?? config.externalUrl}`,
    ...(backend
      ? [`  database    ${withoutPassword(backend.databaseUrl)}`, `  data        ${dataLocation(backend)}`]
      : []),
    ...(firstAdminUrl
      ? [
          `  first admin ${firstAdminUrl}`,
          '              (makes its visitor an administrator; valid for 1 hour; new link: npx greenroom admin-link)',
        ]
      : []),
    '  keys        npx greenroom status',
    '',
    `ready ${url}`,
  ];
}

/** Returns the last lines of a start without pages. */
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

/** Prints both folders if there are two, because a backup needs both. */
function dataLocation({ dataFolder, externalCluster }: BackendInfo): string {
  return externalCluster === undefined ? dataFolder : `${dataFolder} (database in ${externalCluster})`;
}
