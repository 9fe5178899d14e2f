/**
 * Prepares the start of an instance: chooses its ports, and adds it to the registry of running instances, so that
 * concurrent starts choose different ports.
 */
import { resolve } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { rememberSettings } from '@greenroom/data-folder';
import {
  type InstanceEntry,
  openRegistry,
  type Registration,
  type Registry,
  stateFolder,
} from '@greenroom/instances';
import { DEFAULT_DATABASE_PORT } from '@greenroom/server';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { chooseInstancePort, type PortChoice, PortInUseError } from './ports/choose-instance-port.ts';
import { fixedPort } from './ports/free-port.ts';
import { findPortHolder, portsOf } from './ports/port-holder.ts';
import { type PortRequest, portRequest } from './ports/port-request.ts';
import { projectToRun } from './project.ts';
import type { Settings } from './settings.ts';

const LOOPBACK = '127.0.0.1';

/** An instance that is about to start. */
export interface RegisteredStart extends AsyncDisposable {
  /** The configuration with the chosen ports; once the instance is ready, also with those that the system assigned. */
  readonly config: Config;
  /** Chooses the port of the embedded database. Throws `PortInUseError`. */
  chooseDatabasePort: () => Promise<number>;
  /**
   * Called when the instance accepts requests. Later starts use the same ports, and the same kind of keys.
   * @param listening ports of the mailbox by their settings; where any port is allowed, the system has assigned one
   */
  markReady: (flags: ConfigSource | undefined, listening: ListeningPorts) => Promise<void>;
  /** Throws the error of a start; if its port was taken meanwhile, an error that names the holder. */
  fail: (error: unknown) => Promise<never>;
}

/** Ports by the settings that request them. */
type ListeningPorts = Readonly<Record<string, number | undefined>>;

/** Registers a start with a valid configuration. Throws `PortInUseError` and `FolderInUseError`. */
export async function registerStart(
  settings: Settings,
  config: Config,
  onProgress: (line: string) => void,
): Promise<RegisteredStart> {
  const dataFolder = resolve(config.dataDirectory);
  const registry = config.app.hosted ? undefined : await openUserRegistry(onProgress);
  const { api, plainHttp, database, mailbox: ofMailboxServers } = requestsOf(settings, config);
  // The system assigns any free port when the server listens, so that no other program can take it before.
  const [unassigned, mailbox] = partition(ofMailboxServers, ({ port }) => port === 0);
  const registration = await registry?.register(entryOf(settings, config));
  const choices = new Map<PortRequest, PortChoice>();

  async function choose(
    request: PortRequest,
    reserved: readonly number[],
    changes: (port: number, others: readonly InstanceEntry[]) => Partial<InstanceEntry>,
  ) {
    const work = async (running: readonly InstanceEntry[]) => {
      const others = running.filter((entry) => entry.dataFolder !== dataFolder);
      const choice = await chooseInstancePort(request, { others, reserved });
      await registration?.update(changes(choice.port, others));
      return choice;
    };
    const choice = await (registry?.exclusively(work) ?? work([]));
    choices.set(request, choice);
    for (const line of describeChoice(request, choice, settings)) onProgress(line);
    return choice.port;
  }

  try {
    const ofMailbox = mailbox.flatMap((request) => [request.port, request.configured]);
    const ofDatabase = [database.port, database.configured];
    const port = await choose(api, [...ofDatabase, ...ofMailbox], (chosen, others) => {
      // Claimed already, so that of two concurrent starts one gets all of its ports.
      const claimed = others.flatMap(portsOf);
      const mailboxPorts = mailbox.map((request) => request.port).filter((each) => !claimed.includes(each));
      const isDatabaseClaimed = claimed.includes(database.port);
      return { port: chosen, mailboxPorts, ...(!isDatabaseClaimed && { databasePort: database.port }) };
    });
    if (plainHttp !== undefined) await choose(plainHttp, [port], () => ({}));
    const mailboxPorts: number[] = [];
    for (const [index, request] of mailbox.entries()) {
      const later = mailbox.slice(index + 1).map((each) => each.port);
      const update = (chosen: number) => ({ mailboxPorts: [...mailboxPorts, chosen, ...later] });
      mailboxPorts.push(await choose(request, [port, ...ofDatabase, ...mailboxPorts, ...later], update));
    }
    const chosen = [...choices].filter(([request, choice]) => choice.port !== request.port);
    let current = withPorts(config, settings, chosen);
    return {
      get config() {
        return current;
      },
      chooseDatabasePort: () =>
        choose(database, [port, ...ofMailbox, ...mailboxPorts], (databasePort) => ({ databasePort })),
      markReady: async (flags = {}, listening) => {
        const assigned = unassigned.map((request): [PortRequest, PortChoice] => [
          request,
          { port: listening[request.setting] ?? 0, holder: undefined },
        ]);
        for (const [request, choice] of assigned) choices.set(request, choice);
        current = withPorts(config, settings, [...chosen, ...assigned]);
        const changes = { ...portsToRemember(choices), ...flagsToRemember(flags) };
        const ofServers = assigned.map(([, choice]) => choice.port);
        const entry = { isReady: true, mailboxPorts: [...mailboxPorts, ...ofServers] };
        const steps = [registration?.update(entry), rememberSettings(dataFolder, changes)];
        await Promise.all(steps).catch((error: Error) => onProgress(`warning: ${error.message}`));
      },
      fail: (error) => explainFailure(error, choices, api),
      [Symbol.asyncDispose]: () => removeEntry(registration),
    };
  } catch (error) {
    await removeEntry(registration);
    throw error;
  }
}

function partition<T>(items: readonly T[], condition: (item: T) => boolean): [T[], T[]] {
  return [items.filter(condition), items.filter((item) => !condition(item))];
}

/** Returns the configuration with ports in place of the requested ones. */
function withPorts(
  config: Config,
  settings: Settings,
  choices: readonly (readonly [PortRequest, PortChoice])[],
): Config {
  if (choices.length === 0) return config;
  const ports = choices.map(([{ setting }, { port }]) => [setting, String(port)] as const);
  return loadConfig({ ...settings.source, ...Object.fromEntries(ports) });
}

/** Without the registry, starts may choose the same port, and the slower one fails. */
function openUserRegistry(onProgress: (line: string) => void): Promise<Registry | undefined> {
  return openRegistry(stateFolder()).catch((error: Error) => {
    onProgress(`warning: greenroom list cannot show this instance: ${error.message}`);
    return undefined;
  });
}

function requestsOf(settings: Settings, { host, port, tls, app, mailbox }: Config) {
  const { http, smtp, pop3 } = mailbox.ports;
  const ofMailbox = {
    GREENROOM_MAILBOX_PORT: http,
    GREENROOM_MAILBOX_SMTP_PORT: smtp,
    GREENROOM_MAILBOX_POP3_PORT: pop3,
  };
  const isServed = mailbox.isServed && !app.hosted;
  const automatic = tls?.kind === 'obtained' ? tls : undefined;
  const api = automatic
    ? fixedPort('GREENROOM_HTTPS_PORT', { host, port })
    : portRequest(settings, { setting: 'PORT', host, fallback: port, yieldsWithoutFile: 'instances' });
  return {
    // An app on a hosted backend has no data folder that could remember another port.
    api: app.hosted ? { ...api, yieldsTo: 'none' as const } : api,
    plainHttp: automatic && fixedPort('GREENROOM_HTTP_PORT', { host, port: automatic.plainPort }),
    database: portRequest(settings, {
      setting: 'GREENROOM_DB_PORT',
      host: LOOPBACK,
      fallback: DEFAULT_DATABASE_PORT,
      yieldsWithoutFile: 'all',
    }),
    mailbox: (isServed ? (Object.keys(ofMailbox) as (keyof typeof ofMailbox)[]) : []).flatMap((setting) => {
      const fallback = ofMailbox[setting];
      if (fallback === undefined) return [];
      return portRequest(settings, { setting, host: LOOPBACK, fallback, yieldsWithoutFile: 'instances' });
    }),
  };
}

function entryOf(settings: Settings, { dataDirectory, host, tls }: Config): InstanceEntry {
  const toRun = projectToRun(settings);
  return {
    dataFolder: resolve(dataDirectory),
    ...(toRun && { project: { name: toRun.name, folder: toRun.project.folder } }),
    pid: process.pid,
    startedAt: new Date().toISOString(),
    isReady: false,
    host,
    ...(tls && { isTls: true }),
  };
}

/** Returns a line for a port that is not the configured one. */
function describeChoice(
  request: PortRequest,
  { port, holder }: PortChoice,
  { remembered }: Settings,
): string[] {
  const { setting, configured, name } = request;
  if (holder) {
    return [
      `port ${request.port} is in use by ${holder.description}; port ${port} is used instead from now on`,
    ];
  }
  if (port === configured || configured === 0) return [];
  return [`port ${port} is used instead of ${configured} (${name}), see ${remembered.get(setting)?.origin}`];
}

type RememberedChanges = Parameters<typeof rememberSettings>[1];

/** Ports that replace configured ones are remembered, and those that no longer do are forgotten. */
function portsToRemember(choices: ReadonlyMap<PortRequest, PortChoice>): RememberedChanges {
  const changes = [...choices]
    .filter(([request]) => request.yieldsTo !== 'none')
    .map(([{ setting, configured, configuredText }, { port }]) => {
      const isReplaced = configured !== 0 && port !== configured;
      return [setting, isReplaced ? { value: String(port), insteadOf: configuredText } : undefined] as const;
    });
  return Object.fromEntries(changes);
}

/** The fixed keys stay until a flag returns to those of the instance. */
function flagsToRemember({ GREENROOM_CLI_KEYS: usesCliKeys }: ConfigSource): RememberedChanges {
  if (usesCliKeys === undefined) return {};
  return { GREENROOM_CLI_KEYS: usesCliKeys === 'true' ? { value: usesCliKeys } : undefined };
}

/** @param initial the request to which an error belongs that names no port */
async function explainFailure(
  error: unknown,
  choices: ReadonlyMap<PortRequest, PortChoice>,
  initial: PortRequest,
): Promise<never> {
  const { code, port: taken } = error as { code?: unknown; port?: number };
  if (code !== 'EADDRINUSE') throw error;
  const [request = initial] = [...choices].find(([, { port }]) => port === taken) ?? [];
  const port = choices.get(request)?.port ?? request.port;
  const holder = await findPortHolder({ host: request.host, port }, []);
  const named = { ...request, port };
  throw new PortInUseError(named, holder ?? { isInstance: false, description: 'another process' });
}

/** A state folder that has become unusable must not keep the instance from stopping. */
async function removeEntry(registration: Registration | undefined): Promise<void> {
  await registration?.remove().catch(() => undefined);
}
