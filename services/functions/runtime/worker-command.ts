/** How the process of a function is started: the program, its arguments and its environment. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessUser } from '../process-user.ts';
import type { FunctionsConfig } from '../settings.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';
import type { BootstrapOptions } from './bootstrap/main.ts';
import { permissionArguments } from './permissions.ts';
import { systemCallFilter } from './system-call-filter.ts';

/** A command that starts a process. */
export interface WorkerCommand {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  user?: ProcessUser | undefined;
}

/** Options of {@link workerCommand}. */
interface CommandOptions {
  name: string;
  prepared: PreparedFunction;
  config: Pick<FunctionsConfig, 'memoryBytes' | 'privateNetworks' | 'allowsIpv6' | 'inspector'>;
  /** Path of the runtime, after the words that launch it. */
  program: readonly string[];
  /** Folder of the process, which it may write. */
  folder: string;
  /** Deno's cache. */
  cache: string;
  /** Path of the socket to the API, the origins that mean it, and the host of models. */
  api: Pick<BootstrapOptions, 'apiSocket' | 'apiOrigins' | 'models'>;
  /** Variables that the function sees. */
  environment: Readonly<Record<string, string>>;
  user: ProcessUser | undefined;
  /** Whether the modules only run once, without a network and without an inspector. */
  isWarmUp?: boolean;
}

const INSPECT_FLAGS = { run: '--inspect', brk: '--inspect-brk', wait: '--inspect-wait' } as const;

/** Returns the path of the socket on which the process serves. */
export function socketIn(folder: string): string {
  return join(folder, 'function.sock');
}

/** Returns the command. */
export function workerCommand(options: CommandOptions): WorkerCommand {
  const { name, prepared, config, program, folder, cache, api, environment, user } = options;
  const { isWarmUp = false } = options;
  const bootstrapFolder = join(prepared.folder, 'bootstrap');
  const entry = isWarmUp ? join(bootstrapFolder, 'warm-up.ts') : prepared.entry;
  const bootstrap: BootstrapOptions = {
    entry: pathToFileURL(entry).href,
    socket: socketIn(folder),
    hasNodeServer: prepared.hasNodeServer,
    isWarmUp,
    ...api,
    filter: systemCallFilter({
      allowsIpv6: config.allowsIpv6,
      connectsTo: api.apiSocket,
      servesOn: socketIn(folder),
    }),
  };
  const [first = '', ...launching] = program;
  const args = [
    ...launching,
    'run',
    '--quiet',
    '--unstable-no-legacy-abort',
    '--cached-only',
    prepared.isOffline ? '--no-lock' : `--lock=${prepared.lock}`,
    `--config=${prepared.config}`,
    `--v8-flags=--max-old-space-size=${Math.ceil(config.memoryBytes / 1024 / 1024)}`,
    ...(isWarmUp ? [] : inspectorArguments(name, config)),
    ...permissionArguments({
      read: [prepared.folder],
      write: [folder],
      privateNetworks: config.privateNetworks,
      callsLibraries: bootstrap.filter !== undefined,
      onlySocket: isWarmUp ? api.apiSocket : undefined,
    }),
    `--preload=${join(bootstrapFolder, 'main.ts')}`,
    entry,
    ...(isWarmUp ? [pathToFileURL(prepared.entry).href] : []),
  ];
  const env = {
    ...environment,
    ...prepared.registries,
    DENO_DIR: cache,
    DENO_NO_PACKAGE_JSON: '1',
    DENO_NO_UPDATE_CHECK: '1',
    TMPDIR: folder,
    HOME: folder,
    NO_COLOR: '1',
    GREENROOM_FUNCTION: JSON.stringify(bootstrap),
  };
  return { program: first, args, env, cwd: prepared.folder, user };
}

function inspectorArguments(name: string, { inspector }: Pick<FunctionsConfig, 'inspector'>): string[] {
  if (inspector.function !== name) return [];
  return [`${INSPECT_FLAGS[inspector.mode]}=127.0.0.1:${inspector.port}`];
}
