/** Finds the command that was asked for. */
import { ConfigError } from '@greenroom/config';
import { FolderInUseError } from '@greenroom/data-folder';
import { HELP } from './help.ts';

/** A command: takes the words after its name, gives the exit code. Loaded only when it is asked for. */
type Command = (words: string[]) => Promise<number>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).start,
  dev: async () => (await import('./commands/start.ts')).dev,
  build: async () => (await import('./commands/build.ts')).build,
  status: async () => (await import('./commands/status.ts')).status,
  keys: async () => (await import('./commands/keys.ts')).keys,
  'admin-link': async () => (await import('./commands/admin-link.ts')).adminLink,
};

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(words: string[]): Promise<number> {
  const [name = 'help', ...rest] = words;
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

/** What a person can mend is told in one line; a surprise shows where it came from. */
function explain(error: unknown): string {
  // What failed first comes first; what failed while everything else was closed may only follow from it.
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
