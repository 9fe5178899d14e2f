/** The commands that a command line needs. */
import type { Program } from '../definition.ts';

/**
 * Returns the program with the commands of one name if the command line begins with that name, because a parser of all
 * commands would delay each start. Any other command line needs all of them, for the help and for the nearest name.
 */
export function relevantCommands(program: Program, args: readonly string[]): Program {
  const name = firstOperand(args, program.globalOptions);
  const commands = program.commands.filter(({ path }) => path[0] === name);
  return commands.length === 0 ? program : { ...program, commands };
}

/** Options of all commands may stand in front of the command. */
function firstOperand(args: readonly string[], options: Program['globalOptions']): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (!argument.startsWith('-')) return argument;
    if (options[argument.slice(2)]?.value !== undefined) index++;
  }
  return undefined;
}
