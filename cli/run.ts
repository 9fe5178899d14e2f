import { ConfigError } from '@greenroom/config';
import { FolderInUseError } from '@greenroom/data-folder';
import { HELP } from './help.ts';

/** A command: receives the arguments after its name and returns the exit code. Loaded on demand. */
type Command = (args: string[]) => Promise<number>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).start,
  dev: async () => (await import('./commands/start.ts')).dev,
  build: async () => (await import('./commands/build.ts')).build,
  status: async () => (await import('./commands/status.ts')).status,
  keys: async () => (await import('./commands/keys.ts')).keys,
  'admin-link': async () => (await import('./commands/admin-link.ts')).adminLink,
};

/** Runs a command line and returns the exit code: 0 for success, 1 for failure, 2 for an unknown command. */
export async function run(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name) || rest.includes('--help')) return print(HELP, 0);
  if (['version', '--version', '-v'].includes(name)) {
    return print(`greenroom ${(await import('@greenroom/server/version')).VERSION}`, 0);
  }
  const load = COMMANDS[name];
  if (!load) return print(`There is no command "${name}".\n\n${HELP}`, 2);
  try {
    return await (await load())(rest);
  } catch (error) {
    return print(`greenroom: ${explain(error)}`, 1);
  }
}

/** Describes an error: in one line if the user can fix it, otherwise with its stack if DEBUG is set. */
function explain(error: unknown): string {
  // The original error comes first; errors during the clean-up may be its consequences.
  if (error instanceof SuppressedError) return `${explain(error.suppressed)}\n${explain(error.error)}`;
  if (!(error instanceof Error)) return String(error);
  const expected =
    error instanceof ConfigError || error instanceof FolderInUseError || error.name !== 'Error';
  return expected || process.env.DEBUG === undefined ? error.message : (error.stack ?? error.message);
}

function print(text: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return code;
}
