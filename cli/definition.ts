/**
 * Definitions of commands: names, options, help and the function that runs. Parser, help, completion and reference follow
 * from them. A definition loads no other code before its command runs, because each start of the program loads all of them.
 */
import type { ProjectOptions } from './settings.ts';

/** An option of a command. Without `value`, it is a switch. */
export interface OptionDefinition {
  /** One line of the help, without a full stop. */
  summary: string;
  /** One letter, e.g. `o` for `-o`. */
  short?: string;
  /** Name of the value in the help, e.g. `format` for `--output <format>`. */
  value?: string;
  /** The allowed values. */
  choices?: readonly string[];
  default?: string;
  /** The value is a whole number of at least this one. */
  integerFrom?: number;
  /** The option may be given several times; its value is a list. */
  isRepeatable?: boolean;
  /** The command cannot run without the option. */
  isRequired?: boolean;
  /** The switch can be turned off by `--no-<name>`; its value is undefined if neither is given. */
  isNegatable?: boolean;
  /** The option works, and neither the help nor completion offers it. */
  isHidden?: boolean;
}

/** Options by their long names, without the dashes. */
export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

/** An argument of a command. */
export interface ArgumentDefinition {
  /** Name in the help. */
  name: string;
  summary: string;
  isRequired?: boolean;
  /** The last argument may be given several times. */
  isVariadic?: boolean;
  /** Error if a required argument is missing. Default: a sentence with its name and the first example. */
  missing?: string;
}

/** A command line that works, and its effect. */
interface Example {
  /** Without the name of the program. */
  line: string;
  summary: string;
}

type OptionValue = string | number | boolean | readonly string[] | undefined;

type TextOf<Definition> = Definition extends { choices: readonly (infer Choice)[] } ? Choice : string;

type ValueOf<Definition extends OptionDefinition> = Definition extends { value: string }
  ? Definition extends { isRepeatable: true }
    ? readonly string[] | undefined
    :
        | (Definition extends { integerFrom: number } ? number : TextOf<Definition>)
        | (Definition extends { default: string } | { isRequired: true } ? never : undefined)
  : Definition extends { isNegatable: true }
    ? boolean | undefined
    : boolean;

/** The values of options, by their long names. */
export type OptionValues<Options extends OptionDefinitions> = {
  readonly [Name in keyof Options]: ValueOf<Options[Name]>;
};

/** The input of a command. */
export interface CommandInput<Values = Readonly<Record<string, OptionValue>>> {
  options: Values;
  /** The arguments, without options. */
  operands: readonly string[];
  /** The options of all commands that choose a project. */
  project: ProjectOptions;
  /** Whether the user has confirmed all questions in advance (`--yes`). */
  isConfirmed: boolean;
  /** Whether the user wants details (`--debug`). */
  isDebug: boolean;
  /** The program, for commands about commands. */
  program: Program;
}

interface Definition<Values> {
  /** Names, e.g. `['migration', 'new']`. */
  path: readonly [string, ...string[]];
  /** One line of the help, without a full stop. */
  summary: string;
  /** Further lines of the command's own help. */
  description?: string;
  arguments?: readonly ArgumentDefinition[];
  examples: readonly Example[];
  /** Whether the command runs if the last name of its path is omitted. */
  isDefault?: boolean;
  /** The command works, and neither the help of its group nor completion offers it. */
  isHidden?: boolean;
  /** Whether the command serves until it is stopped, so that the end of its output does not stop it. */
  isServer?: boolean;
  /** Imports the code that it needs, and returns the exit code. */
  run(input: CommandInput<Values>): Promise<number>;
}

/** A command. Its type does not depend on its options. */
export interface CommandDefinition extends Definition<Readonly<Record<string, OptionValue>>> {
  options: OptionDefinitions;
}

/** All commands. */
export interface Program {
  /** In the order of the help. */
  commands: readonly CommandDefinition[];
  /** Summaries of commands that have subcommands, by their names, e.g. `db schema`. */
  groups: Readonly<Record<string, string>>;
  /** Options of all commands. */
  globalOptions: OptionDefinitions;
}

/** Declares a command; the types of its values follow from its options. */
export function defineCommand<const Options extends OptionDefinitions>(
  definition: Definition<OptionValues<Options>> & { options: Options },
): CommandDefinition {
  return definition;
}
