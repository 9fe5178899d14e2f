/**
 * The embedded PostgreSQL: one cluster in one folder, initialised at the first start, run as a child process that
 * listens on 127.0.0.1 only. This module finds the folder, the binaries and the port; server-process.ts runs the
 * process.
 */
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Lock } from '@greenroom/data-folder';
import { choosePort } from '@greenroom/ports';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureClusterDirectory, lockCluster, pathForServer } from './cluster-directory.ts';
import { CONFIGURATION_FILE, withUserFile, writeConfiguration } from './configuration.ts';
import { installExtensions } from './extensions/install.ts';
import { inertSettings } from './inert-settings.ts';
import { ensureInitialised } from './initialise.ts';
import { removeLeftOverServer } from './left-over-server.ts';
import { defaultMemoryLimitMb } from './memory-limit.ts';
import { type NetworkAccess, OPEN_ACCESS, withRequiredTls, writeNetworkAccess } from './network-access.ts';
import { ensureRoles } from './roles/ensure-roles.ts';
import { loginUrl } from './roles/log-in.ts';
import { PROJECT_OWNER, SUPERUSER } from './roles/role-names.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { createServerProcess, type ServerProcess } from './server-process.ts';
import { canHoldSocket, socketUrl } from './unix-socket.ts';
import { writeVaultKey } from './vault-key.ts';

const PORT_TAKEN = 'Address already in use';
const START_TRIES = 10;

/** Options of {@link startEmbeddedPostgres}. */
export interface EmbeddedOptions {
  /** Folder of the cluster; created if it does not exist. */
  directory: string;
  /** Preferred port; the next free port is used unless `portIsFixed`. */
  port: number;
  portIsFixed: boolean;
  /** Chooses the port instead of the two options above. Called again if another process takes the port meanwhile. */
  choosePort?: (() => Promise<number>) | undefined;
  /** Password of `postgres`, the owner of the database. It may differ from that of the last start. */
  password: string;
  /** Password of the superuser `supabase_admin`, set when the cluster is initialised. Default: that of `postgres`. */
  superuserPassword?: string;
  /** Other passwords that `postgres` may have in a cluster of an earlier version, where it is the superuser. */
  formerPasswords?: readonly string[];
  /** Key of Vault: 64 hexadecimal digits. Default: that of the last start, or a new one. */
  vaultKey?: string;
  /** The user's own configuration file, which need not exist; its settings override the defaults. */
  userConfiguration?: string | undefined;
  /**
   * Folders with the files of extensions that are added to those of PostgreSQL, in any layout; they need not exist. Later
   * ones override earlier ones.
   */
  extensionFolders?: readonly string[];
  /** Parameters that override the defaults; those of the user's own file override them. */
  parameters?: Readonly<Record<string, string>>;
  /**
   * Whether the files of the cluster and the user's own file come from a backup: the server then runs no command and loads no
   * library that they name. Default: false.
   */
  isRestored?: boolean | undefined;
  /** Rules for connections by TCP. Default: all programs on this machine may connect, without TLS. */
  networkAccess?: NetworkAccess | undefined;
  /** Memory limit of each connection, in megabytes; 0 for no limit. The default depends on the machine's memory. */
  memoryLimitMb?: number | undefined;
  /** Maximum time until the server accepts connections, also while it logs the progress of a recovery. Default: none. */
  startTimeoutMs?: number | undefined;
  /** Returns the path of a template for a new cluster; undefined (the default) creates an empty cluster. */
  findTemplate?: () => Promise<string | undefined>;
  /** Receives progress messages to show to the user during a start. */
  onProgress?: (message: string) => void;
  /** Runs before a new cluster is created. If it rejects, none is created. */
  beforeInitialise?: () => Promise<void>;
  /** Called when the start begins to wait for a new cluster or for the server, so that the caller can use the time. */
  onWait?: (() => void) | undefined;
  /** Receives each line of the server's log. */
  onLog?: (line: string) => void;
}

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Real path of the cluster. */
  readonly directory: string;
  /** Connection URL of `postgres`, the owner of the database, for its clients. */
  readonly url: string;
  /**
   * The same URL through the Unix socket, for connections of this process; equals `url` if the folder cannot hold a
   * socket.
   */
  readonly localUrl: string;
  /** The same URL by TCP for Greenroom itself; equals `localUrl` if the server could reject it. */
  readonly ownUrl: string;
  /** Connection URLs of the superuser `supabase_admin`. */
  readonly superuser: { readonly url: string; readonly localUrl: string; readonly ownUrl: string };
  readonly port: number;
  /** Whether the cluster was created by this start. */
  readonly isNew: boolean;
  readonly pid: () => number | undefined;
  /**
   * Makes the server read the user's configuration file again, and installs changed files of extensions. Settings that
   * need a restart do not change. Rejects if
   * a file has errors; then no setting changes.
   */
  reload(): Promise<void>;
  /** Fast shutdown: ends connections, writes a checkpoint. */
  stop(): Promise<void>;
  /** Kills a server that does not respond; it recovers at the next start. `stop` must still be called. */
  kill(): void;
}

/** Initialises the cluster if needed and starts it. Resolves when it accepts connections. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { findTemplate, beforeInitialise, onWait, onProgress = () => {} } = options;
  const runAs = await chooseRunAs();
  const binaries = await findBinaries(runAs);
  const directory = await ensureClusterDirectory(options.directory, runAs);
  const password = superuserPassword(options);
  const creation = {
    directory,
    binaries,
    runAs,
    password,
    findTemplate,
    onProgress,
    onWait,
    beforeInitialise,
  };
  const isNew = await ensureInitialised(creation);
  const lock = await lockCluster(directory, await realpath(dirname(options.directory)), runAs);
  try {
    return await startOn(directory, { ...options, binaries, runAs, lock, isNew });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function superuserPassword({ superuserPassword, password }: EmbeddedOptions): string {
  return superuserPassword ?? password;
}

interface StartContext {
  binaries: Binaries;
  runAs: RunAs | undefined;
  isNew: boolean;
  /** Released when the server has stopped. */
  lock: Lock;
}

async function startOn(
  directory: string,
  options: EmbeddedOptions & StartContext,
): Promise<EmbeddedPostgres> {
  const { binaries, runAs, lock, isNew, onProgress = () => {}, onLog = () => {} } = options;
  const stale = await removeLeftOverServer(directory);
  if (stale !== undefined)
    onProgress(`stopped a PostgreSQL process left over from an earlier run (pid ${stale})`);
  const hasSocket = await canHoldSocket(directory);
  const { memoryLimitMb = defaultMemoryLimitMb(), networkAccess: access = OPEN_ACCESS } = options;
  const { hbaFile, parameters, needsSocket } = await writeNetworkAccess({
    directory,
    access,
    hasSocket,
    runAs,
  });
  const path = await pathForServer(directory, runAs);
  const settings = options.isRestored ? inertSettings() : {};
  const configuration = {
    directory,
    userFile: options.userConfiguration,
    parameters: { ...parameters, ...options.parameters },
    runAs,
    server: { binaries, path, hasSocket, hbaFile, settings },
  };
  const extensions = { cluster: directory, folders: options.extensionFolders ?? [], binaries, runAs };
  await Promise.all([
    writeConfiguration(configuration),
    installExtensions(extensions),
    writeVaultKey(directory, options.vaultKey, runAs),
  ]);
  const { startTimeoutMs } = options;
  const place = { binaries, directory, path, hbaFile, configurationFile: CONFIGURATION_FILE, runAs };
  const fixed = { ...place, hasSocket, memoryLimitMb, startTimeoutMs, onLog, settings };
  const { server, port } = await startOnFreePort(options, (port) =>
    createServerProcess({ ...fixed, port }),
  ).catch((error: Error) => {
    throw new Error(withUserFile(error.message, configuration), { cause: error });
  });
  const { password: projectOwner, formerPasswords = [] } = options;
  const passwords = { superuser: superuserPassword(options), projectOwner, former: formerPasswords };
  const urlsOf = (role: string, password: string) => {
    const url = loginUrl(`postgresql://127.0.0.1:${port}/postgres`, { role, password });
    const localUrl = hasSocket ? socketUrl(url, directory) : url;
    return {
      url: access.tls === 'required' ? withRequiredTls(url) : url,
      localUrl,
      ownUrl: needsSocket ? localUrl : url,
    };
  };
  const superuser = urlsOf(SUPERUSER, passwords.superuser);
  const stop = async () => {
    await server.stop();
    lock.release();
  };
  await ensureRoles(directory, { url: superuser.localUrl, passwords, runAs, isNew, onProgress }).catch(
    async (error: unknown) => {
      await server.stop();
      throw error;
    },
  );
  const reload = async () => {
    await installExtensions(extensions);
    await writeConfiguration(configuration);
    server.reload();
  };
  const owner = urlsOf(PROJECT_OWNER, passwords.projectOwner);
  return { directory, ...owner, superuser, port, isNew, pid: server.pid, reload, stop, kill: server.kill };
}

/**
 * After a port was chosen and before PostgreSQL listens on it, another process may take it. Then the next port is
 * tried.
 */
async function startOnFreePort(
  { port: requestedPort, portIsFixed: fixed, choosePort: choose, onWait }: EmbeddedOptions,
  create: (port: number) => ServerProcess,
): Promise<{ server: ServerProcess; port: number }> {
  for (let from = requestedPort, attempt = 1; ; attempt++) {
    const port = await (choose?.() ?? choosePort({ host: '127.0.0.1', port: from, fixed }));
    const server = create(port);
    try {
      const started = server.start();
      onWait?.();
      await started;
      return { server, port };
    } catch (error) {
      const isTaken = (error as Error).message.includes(PORT_TAKEN);
      if (!isTaken || (fixed && !choose) || attempt === START_TRIES) throw error;
      from = requestedPort === 0 ? 0 : port + 1;
    }
  }
}
