import { ConfigError } from '@greenroom/config';
import { FolderInUseError } from '@greenroom/data-folder';
import { HELP } from './help.ts';
import { takeProjectOptions } from './project-options.ts';
import type { ProjectOptions } from './settings.ts';

/** A command: receives the arguments after its name, and returns the exit code. Loaded on demand. */
type Command = (args: string[], options: ProjectOptions) => Promise<number>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).start,
  dev: async () => (await import('./commands/start.ts')).dev,
  stop: async () => (await import('./commands/stop.ts')).stop,
  list: async () => (await import('./commands/list.ts')).list,
  config: async () => (await import('./commands/config.ts')).config,
  build: async () => (await import('./commands/build.ts')).build,
  status: async () => (await import('./commands/status.ts')).status,
  migration: async () => (await import('./commands/migration/migration.ts')).migration,
  db: async () => (await import('./commands/db.ts')).db,
  seed: async () => (await import('./commands/seed.ts')).seed,
  keys: async () => (await import('./commands/keys.ts')).keys,
  extensions: async () => (await import('./commands/extensions.ts')).extensions,
  'admin-link': async () => (await import('./commands/admin-link.ts')).adminLink,
};

const USAGE_HINT = 'Run "greenroom help" for usage.';

/** Runs a command line and returns the exit code: 0 for success, 1 for failure, 2 for an unknown command. */
export async function run(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name) || rest.includes('--help')) return print(HELP, 0);
  if (['version', '--version', '-v'].includes(name)) {
    return print(`greenroom ${(await import('@greenroom/server/version')).VERSION}`, 0);
  }
  const load = COMMANDS[name];
  if (!load) return print(`error: unknown command "${name}". ${USAGE_HINT}`, 2);
  try {
    const { args: own, options } = takeProjectOptions(rest);
    return await (await load())(own, options);
  } catch (error) {
    return print(
      explain(error)
        .map((line) => `error: ${line}`)
        .join('\n'),
      1,
    );
  }
}

/** Returns a text for each error. An error that the user cannot fix has its stack if DEBUG is set. */
function explain(error: unknown): string[] {
  // The original error comes first; errors during the clean-up may be its consequences.
  if (error instanceof SuppressedError) return [...explain(error.suppressed), ...explain(error.error)];
  if (!(error instanceof Error)) return [String(error)];
  // One line for each wrong setting.
  if (error instanceof ConfigError) return error.message.split('\n');
  if (isUsageError(error)) return [`${error.message}\n${USAGE_HINT}`];
  const expected = error instanceof FolderInUseError || error.name !== 'Error';
  return [expected || process.env.DEBUG === undefined ? error.message : (error.stack ?? error.message)];
}

/** Whether `parseArgs` of Node.js rejected the arguments. */
function isUsageError(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_PARSE_ARGS_') ?? false;
}

function print(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return code;
}
