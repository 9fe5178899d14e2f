import { styleText } from 'node:util';
import { printable } from '@greenroom/log/printable';
import { CommanderError } from 'commander';
import { COMMANDS, GROUPS } from './commands/index.ts';
import type { Program } from './definition.ts';
import { reportFailure } from './embedding/report.ts';
import { explainError } from './explain-error.ts';
import { GLOBAL_OPTIONS, type GlobalValues, projectOptionsOf } from './global-options.ts';
import { createProgram } from './parse/create-program.ts';
import { relevantCommands } from './parse/relevant-commands.ts';
import { UsageError } from './parse/usage-error.ts';

/** The commands of the program, and the options that all of them have. */
export const PROGRAM: Program = { commands: COMMANDS, groups: GROUPS, globalOptions: GLOBAL_OPTIONS };

/** Options of {@link run}. */
interface RunOptions {
  /** Default: {@link PROGRAM}. */
  program?: Program;
  /** Called before a command serves until it is stopped. */
  onServe?: () => void;
}

/** Runs a command line and returns the exit code: 0 for success, 1 for failure, 2 for an unknown command. */
export async function run(
  args: readonly string[],
  { program = PROGRAM, onServe }: RunOptions = {},
): Promise<number> {
  let code = 0;
  let isDebug = process.env.DEBUG !== undefined;
  const line = rewritten(args);
  const parser = createProgram(relevantCommands(program, line), async (definition, values, globals) => {
    const { yes, debug, ...others } = globals as GlobalValues;
    isDebug ||= debug;
    const project = projectOptionsOf({ yes, debug, ...others });
    if (definition.isServer) onServe?.();
    code = await definition.run({ ...values, project, isConfirmed: yes, isDebug, program });
  });
  try {
    await parser.parseAsync(line, { from: 'user' });
    return code;
  } catch (error) {
    // The help was printed.
    if (error instanceof CommanderError) return error.exitCode;
    const lines = explainError(error, isDebug);
    for (const line of lines) printError(line);
    reportFailure(error, lines.join('\n'));
    return error instanceof UsageError ? error.exitCode : 1;
  }
}

/** Commands with the form of an option, and the help of a command. */
function rewritten([first = 'help', ...rest]: readonly string[]): string[] {
  if (['--version', '-v'].includes(first)) return ['version', ...rest];
  if (first === 'help' && rest.length > 0) return [...rest, '--help'];
  return [first, ...rest];
}

/** Messages may have text of an archive, of a database or of another server. */
function printError(text: string): void {
  const label = styleText('red', 'error:', { stream: process.stderr });
  process.stderr.write(`${label} ${printable(text, '\n\t')}\n`);
}
