/** Errors of command lines, with the nearest name and the usage. */
import type { CommanderError } from 'commander';
import type { CommandDefinition } from '../definition.ts';

/** Exit code of a command line that names no command. */
const UNKNOWN_COMMAND = 2;

/** A command line that cannot run. Its message may have several lines. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Where an error occurred. */
interface ErrorContext {
  /** Names of the command, e.g. `migration repair`; empty for the program. */
  command: string;
  /** Command line of the usage. */
  usage: string;
  /** The commands that begin with `command`, if there are several. */
  subcommands: readonly string[];
  /** The arguments that are no options. */
  operands: readonly string[];
  /** Undefined for the program and for groups of commands. */
  definition: CommandDefinition | undefined;
}

/** Returns the error of the program for one of the parser. */
export function usageErrorOf({ code, message }: CommanderError, context: ErrorContext): UsageError {
  const { command, usage, subcommands, operands } = context;
  const nearest = nearestOf(message);
  const isUnknownCommand =
    code === 'commander.unknownCommand' || (code === 'commander.excessArguments' && subcommands.length > 0);
  if (isUnknownCommand) return unknownCommand([command, ...operands.slice(0, 1)], nearest, subcommands);
  const line = command === '' ? 'Run "greenroom help" for usage.' : `use: ${usage}`;
  return new UsageError(
    [describe(code, message, context), line].join('\n'),
    command === '' && code === 'commander.unknownOption' ? UNKNOWN_COMMAND : 1,
  );
}

function unknownCommand(
  names: readonly string[],
  nearest: string | undefined,
  subcommands: readonly string[],
): UsageError {
  const [group = ''] = names;
  const name = names.filter((each) => each !== '').join(' ');
  const prefix = group === '' ? '' : `${group} `;
  const hint = nearest === undefined ? '' : ` Did you mean ${prefix}${nearest}?`;
  if (group === '')
    return new UsageError(
      `unknown command "${name}".${hint} Run "greenroom help" for usage.`,
      UNKNOWN_COMMAND,
    );
  return new UsageError(`unknown command "${name}".${hint} Use ${alternatives(subcommands)}.`);
}

function alternatives(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** The parser appends its suggestion to the message. */
function nearestOf(message: string): string | undefined {
  return /\(Did you mean (.+)\?\)/.exec(message)?.[1];
}

function describe(code: string, message: string, { command, operands, definition }: ErrorContext): string {
  const quoted = /'([^']+)'/.exec(message)?.[1] ?? '';
  const nearest = nearestOf(message);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  switch (code) {
    case 'commander.unknownOption':
      return `Unknown option '${quoted.replace(/=.*/s, '')}'.${hint}`;
    case 'commander.optionMissingArgument':
      return `Option '${quoted.replace(/<.*>/, '<value>')}' argument missing`;
    case 'commander.missingArgument':
      return missingArgument(quoted, command, definition);
    case 'commander.missingMandatoryOptionValue':
      return `${command} requires the option ${quoted}`;
    case 'commander.excessArguments':
      return `Unexpected argument '${operands[definition?.arguments?.length ?? 0] ?? ''}'`;
    default:
      return message.replace(/^error: /, '');
  }
}

function missingArgument(name: string, command: string, definition: CommandDefinition | undefined): string {
  const operand = definition?.arguments?.find((each) => each.name === name);
  if (operand?.missing !== undefined) return operand.missing;
  const [example] = definition?.examples ?? [];
  return `${command} requires a ${name}${example ? `, e.g. greenroom ${example.line}` : ''}`;
}
