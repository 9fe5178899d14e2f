/** Runs a whole instance until it is stopped. */

import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { appBuild } from '@greenroom/app/build';
import { refusePublishedSecrets } from '@greenroom/config';
import { requireFreeFolder } from '@greenroom/data-folder';
import { type BackendInfo, type Greenroom, servicesNamed } from '@greenroom/server';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { startGreenroom } from '@greenroom/server/start';
import { obtainedFolder, SELF_SIGNED_FILES } from '@greenroom/tls';
import { withoutPassword } from './connection-url.ts';
import { notifyReady } from './detach.ts';
import { projectInDevelopment } from './dev-loop.ts';
import { reportReady } from './embedding/report.ts';
import { ensureBuilt } from './ensure-built.ts';
import { detailsOf } from './instance-details.ts';
import { keepUpToDate } from './keep-up-to-date.ts';
import { useLogFormat } from './log-output.ts';
import { startPausable } from './pause/pausable-instance.ts';
import { HAS_SOURCES } from './program/plan.ts';
import { projectToRun, requireProject } from './project.ts';
import { type RegisteredStart, registerStart } from './register-start.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { explained, type ProjectOptions, printWarnings, readSettings, type Settings } from './settings.ts';
import { relaySettingsFiles } from './settings-files.ts';

/**
 * `dev` follows the files of the project, and serves the app from its sources if the project has pages or belongs to the
 * sources.
 */
type Mode = 'built' | 'dev' | 'none';

/** What to serve in addition to the mode. */
interface ServeDetails {
  /** Services to start. Default: all. */
  names?: readonly string[];
  /** Path of a file with the types of the database, which is kept up to date. Default: none. */
  typesFile?: string | undefined;
}

/**
 * Serves the production build, or the app from its sources, or no pages. Throws if a service is unknown, or if the file
 * cannot be written.
 */
export async function serveInstance(
  mode: Mode,
  options: ProjectOptions,
  { names, typesFile }: ServeDetails = {},
): Promise<number> {
  const list = names && servicesNamed(names);
  const settings = await readSettings(options);
  useLogFormat(settings.source);
  printWarnings(settings);
  if (typesFile !== undefined) await requireTypesFile(typesFile, settings);
  return explained(settings, () => serve({ mode, options, settings, list, typesFile }));
}

/** Loaded on demand, because few starts keep such a file. */
async function requireTypesFile(path: string, settings: Settings): Promise<void> {
  requireProject(settings);
  const { requireWritable } = await import('@greenroom/typegen');
  await requireWritable(path);
}

interface Serving {
  mode: Mode;
  options: ProjectOptions;
  settings: Settings;
  list: ReturnType<typeof servicesNamed> | undefined;
  typesFile: string | undefined;
}

async function serve(serving: Serving): Promise<number> {
  const { mode, settings, list } = serving;
  await using start = await prepareStart(settings);
  const { config } = start;
  const pages = list === undefined ? pagesOf(mode, settings, config) : mode;
  if (pages === 'built') {
    const { product } = settings;
    await ensureBuilt({ createsDatabase: createsDatabase(config), product, log: onProgress });
  }
  // Awaited, because the end of this function ends the registration.
  return await runUntilStopped((stopped) => {
    const stopping = new AbortController();
    void stopped.then(() => stopping.abort());
    const starting = { ...serving, pages, start, stopping: stopping.signal };
    return startPausable({
      dataFolder: resolve(config.dataDirectory),
      start: (isResuming) => startOnce({ ...starting, isResuming }),
      stop: () => void process.kill(process.pid, 'SIGTERM'),
      onProgress,
    });
  });
}

interface Starting extends Serving {
  pages: Mode;
  start: RegisteredStart;
  isResuming: boolean;
  /** Aborts when the process received a stop signal. */
  stopping: AbortSignal;
}

/** Starts the instance and prints its lines. It may be started again after it was closed. */
async function startOnce({ mode, options, settings, list, pages, start, ...rest }: Starting) {
  const { isResuming, stopping, typesFile } = rest;
  const { config, chooseDatabasePort } = start;
  const project = mode === 'dev' ? projectInDevelopment(settings) : projectToRun(settings);
  const settingsFiles = relaySettingsFiles(settings);
  const instance = await startGreenroom({
    config,
    // After a pause, a migration that fails must not end the instance.
    project: project && isResuming ? { ...project, appliesMigrations: false } : project,
    product: settings.product,
    pages,
    ...(list && { services: list }),
    chooseDatabasePort,
    settingsFiles,
    stopping,
    onProgress,
  }).catch(start.fail);
  const followsFiles = mode === 'dev';
  const kept = await keepUpToDate({
    instance,
    options,
    settings,
    config,
    followsFiles,
    typesFile,
    settingsFiles,
    onProgress,
  });
  await start.markReady(options.flags, mailboxPortsOf(instance));
  const lines = pages === 'none' ? apiLines(instance, config) : startLines(instance, config);
  for (const line of lines) process.stdout.write(`${line}\n`);
  notifyReady();
  reportReady(detailsOf(instance, start.config));
  return kept;
}

/** Returns the ports of the mailbox by their settings. */
function mailboxPortsOf({ mailbox }: Greenroom): Record<string, number | undefined> {
  if (mailbox === undefined) return {};
  return {
    GREENROOM_MAILBOX_PORT: Number(new URL(mailbox.url).port),
    GREENROOM_MAILBOX_SMTP_PORT: mailbox.smtpPort,
    GREENROOM_MAILBOX_POP3_PORT: mailbox.pop3Port,
  };
}

/**
 * Reports a folder in use or a taken port before anything is started; port 0 becomes a free port. The folder is checked
 * first: the port is most likely taken by the same process, and only the folder contains its id.
 */
async function prepareStart(settings: Settings): Promise<RegisteredStart> {
  const config = loadConfig(settings.source);
  refusePublishedSecrets(secretsOf(config), config);
  if (!config.app.hosted) await requireFreeFolder(config.dataDirectory);
  return registerStart(settings, config, onProgress);
}

/** The configured secrets by the names of their settings; generated ones are never public. */
function secretsOf({ jwtSecret, apiKeys, storage }: Config): Readonly<Record<string, string | undefined>> {
  return {
    GREENROOM_JWT_SECRET: jwtSecret,
    GREENROOM_SECRET_KEY: apiKeys.secret,
    S3_PROTOCOL_ACCESS_KEY_SECRET: storage.s3Protocol.secretAccessKey,
  };
}

/** The pages need authentication, which the configuration may disable. */
function pagesOf(mode: Mode, { project, product }: Settings, { enabledServices, app }: Config): Mode {
  if (!enabledServices.auth && !app.hosted) {
    onProgress('authentication is disabled, so there are no pages');
    return 'none';
  }
  return mode === 'dev' && !isOfSources(project) && !product?.hasPages ? 'built' : mode;
}

/** Whether the project is part of the sources of the app, so that both are developed together. */
function isOfSources(project: Settings['project']): boolean {
  if (!HAS_SOURCES) return false;
  const root = join(appBuild().root, '..');
  return project === undefined || project.folder === root || project.folder.startsWith(root + sep);
}

/** Whether the start will create the embedded database. */
function createsDatabase({ app, databaseUrl, dataDirectory }: Config): boolean {
  return !app.hosted && databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres'));
}

function onProgress(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Returns the last lines of a start; scripts wait for the final one. */
function startLines({ url, backend, mailbox, firstAdminUrl }: Greenroom, config: Config): string[] {
  return [
    '',
    `  app         ${config.appUrl}`,
    `  API         ${config.app.hosted?.url ?? config.externalUrl}`,
    ...(backend
      ? [`  database    ${withoutPassword(backend.databaseUrl)}`, `  data        ${dataLocation(backend)}`]
      : []),
    ...mailboxLines(mailbox),
    ...(firstAdminUrl
      ? [
          `  first admin ${firstAdminUrl}`,
          '              (makes its visitor an administrator; valid for 1 hour; new link: npx greenroom admin-link)',
        ]
      : []),
    '  keys        npx greenroom status',
    ...keyLines(config),
    ...certificateLines(config),
    '',
    `ready ${url}`,
  ];
}

/** Returns the last lines of a start without pages. */
function apiLines({ url, backend, mailbox }: Greenroom, config: Config): string[] {
  return [
    '',
    `  API         ${config.externalUrl}`,
    ...(backend ? [`  database    ${withoutPassword(backend.databaseUrl)}`] : []),
    ...mailboxLines(mailbox),
    '  keys        npx greenroom status',
    ...keyLines(config),
    ...certificateLines(config),
    '',
    `ready ${url}`,
  ];
}

function mailboxLines(mailbox: Greenroom['mailbox']): string[] {
  if (mailbox === undefined) return [];
  const { url, smtpPort, pop3Port } = mailbox;
  const others = [
    ...(smtpPort === undefined ? [] : [`SMTP: port ${smtpPort}`]),
    ...(pop3Port === undefined ? [] : [`POP3: port ${pop3Port}`]),
  ];
  return [`  mailbox     ${url}${others.length === 0 ? '' : ` (${others.join(', ')})`}`];
}

/** Clients reject a self-signed certificate unless they trust its file. */
function certificateLines({ tls, dataDirectory }: Config): string[] {
  if (tls?.kind === 'obtained') {
    const names = `${tls.domains.join(', ')}: of ${new URL(tls.directory).host}`;
    return [
      `  certificate ${names}, in ${obtainedFolder(dataDirectory, tls)} (self-signed until it arrives)`,
    ];
  }
  if (tls?.kind !== 'self-signed') return [];
  return [
    `  certificate ${join(resolve(dataDirectory), SELF_SIGNED_FILES.cert)} (self-signed, for localhost)`,
  ];
}

function keyLines({ usesCliKeys }: Config): string[] {
  if (!usesCliKeys) return [];
  return [
    '              (the fixed keys of the Supabase CLI, which are public; own keys: greenroom start --no-cli-keys)',
  ];
}

/** Prints both folders if there are two, because a backup needs both. */
function dataLocation({ dataFolder, externalCluster }: BackendInfo): string {
  return externalCluster === undefined ? dataFolder : `${dataFolder} (database in ${externalCluster})`;
}
