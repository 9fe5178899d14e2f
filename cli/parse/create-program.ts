/** Builds the parser of the command line from the definitions of the commands. */
import { styleText } from 'node:util';
import { Command, type CommanderError, type HelpConfiguration, Option } from 'commander';
import type {
  CommandDefinition,
  CommandInput,
  OptionDefinition,
  OptionDefinitions,
  Program,
} from '../definition.ts';
import { parseOptionValue } from './option-value.ts';
import { argumentText, usageOf } from './usage.ts';
import { UsageError, usageErrorOf } from './usage-error.ts';

/** Called when a command line is complete and allowed. */
type Run = (
  definition: CommandDefinition,
  values: Pick<CommandInput, 'options' | 'operands'>,
  globals: CommandInput['options'],
) => Promise<void>;

const DESCRIPTION = 'Run the Greenroom app and its backend on PostgreSQL.';
const EPILOGUE = `
Options of one command: greenroom <command> --help

Settings are environment variables, lines of .env files, or keys of supabase/config.toml.
docs/reference/configuration.md lists them.`;

/** Colours are removed unless the output is a terminal without NO_COLOR. */
const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  subcommandTerm: (command) => command.name(),
  styleTitle: (text) => bold(text),
};

/** Returns the parser. It throws `UsageError` for wrong command lines, and `CommanderError` after it has printed a help. */
export function createProgram(program: Program, run: Run): Command {
  const root = new Command('greenroom')
    .description(DESCRIPTION)
    .usage('<command> [options]')
    .configureOutput({ outputError: () => undefined })
    .configureHelp(HELP)
    .helpOption('-h, --help', 'Print the help of a command')
    .helpCommand('help [command]', 'Print this help, or that of a command')
    .addHelpText('after', EPILOGUE);
  throwUsageErrors(root, undefined, program);
  addOptions(root, program.globalOptions, 'greenroom <command> [options]');
  for (const definition of program.commands) addCommand(root, definition, program, run);
  return root;
}

function addCommand(root: Command, definition: CommandDefinition, program: Program, run: Run): void {
  const { summary, description = '', arguments: operands = [], options } = definition;
  const command = commandAt(root, definition, program);
  command.summary(summary).description([`${summary}.`, description].join('\n').trim());
  command.usage(usageOf(definition));
  for (const operand of operands) command.argument(argumentText(operand), operand.summary);
  addOptions(command, options, usageLine(definition));
  command.addHelpText('after', examplesOf(definition));
  throwUsageErrors(command, definition, program);
  command.action(() =>
    run(
      definition,
      { options: valuesOf(command, options), operands: command.args },
      valuesOf(root, program.globalOptions),
    ),
  );
}

/** Creates the command, and the groups that it belongs to. */
function commandAt(
  root: Command,
  { path, isDefault = false, isHidden = false }: CommandDefinition,
  program: Program,
): Command {
  const groups = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
  const parent = groups.reduce((command, names) => groupAt(command, names, program), root);
  const name = path.at(-1) ?? '';
  return subcommandNamed(parent, name) ?? parent.command(name, { isDefault, hidden: isHidden });
}

function groupAt(parent: Command, names: readonly string[], program: Program): Command {
  const name = names.at(-1) ?? '';
  const group = subcommandNamed(parent, name) ?? parent.command(name);
  if (group.summary() !== '') return group;
  const summary = program.groups[names.join(' ')] ?? '';
  group.summary(summary).description(`${summary}.`).usage('<command> [options]').helpCommand(false);
  throwUsageErrors(group, undefined, program);
  return group;
}

function subcommandNamed(parent: Command, name: string): Command | undefined {
  return parent.commands.find((command) => command.name() === name);
}

function addOptions(command: Command, options: OptionDefinitions, usage: string): void {
  for (const [name, definition] of Object.entries(options)) {
    command.addOption(optionOf(name, definition, usage));
    if (definition.isNegatable) command.addOption(new Option(`--no-${name}`, `The opposite of --${name}`));
  }
}

function optionOf(name: string, definition: OptionDefinition, usage: string): Option {
  const { summary, short, value, choices, default: initial, isRequired = false, isHidden } = definition;
  const flags = [short && `-${short}`, `--${name}`].filter(Boolean).join(', ');
  const option = new Option(value === undefined ? flags : `${flags} <${value}>`, summary).hideHelp(
    isHidden ?? false,
  );
  if (value === undefined) return option;
  if (choices) option.choices(choices);
  // Replaces the check of the choices, whose message has another form.
  option.argParser((text, previous: unknown) => {
    try {
      return parseOptionValue(name, definition, text, previous);
    } catch (error) {
      throw new UsageError(`${(error as Error).message}\nuse: ${usage}`);
    }
  });
  if (initial !== undefined) option.default(initial);
  return option.makeOptionMandatory(isRequired);
}

/** Returns the values under the names of the definitions, with numbers for defaults that are numbers. */
function valuesOf(command: Command, options: OptionDefinitions): CommandInput['options'] {
  const entries = Object.entries(options).map(([name, { value, integerFrom, isNegatable }]) => {
    const option = command.options.find(({ long }) => long === `--${name}`);
    const found: unknown = option && command.getOptionValue(option.attributeName());
    if (value === undefined)
      return [name, option?.negate ? found === false : isNegatable ? found : found === true];
    return [name, integerFrom !== undefined && typeof found === 'string' ? Number(found) : found];
  });
  return Object.fromEntries(entries) as CommandInput['options'];
}

/** Errors of the parser name the command that they belong to. The help of the parser ends with such an error, too. */
function throwUsageErrors(
  command: Command,
  definition: CommandDefinition | undefined,
  program: Program,
): void {
  const path = namesOf(command);
  command.exitOverride((error: CommanderError) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    // The name of a default command may be omitted.
    const isOmitted = definition?.isDefault && command.parent?.args[0] !== command.name();
    const names = isOmitted ? path.slice(0, -1) : path;
    throw usageErrorOf(error, {
      command: names.join(' '),
      usage: definition ? usageLine(definition) : ['greenroom', ...path, '<command>'].join(' '),
      subcommands: subcommandsOf(names, program),
      operands: command.args,
      definition,
    });
  });
}

/** Returns the names of a command and of its groups, without that of the program. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}

/** Returns the commands that begin with `names`, if there are others than that itself. */
function subcommandsOf(names: readonly string[], { commands }: Program): string[] {
  if (names.length === 0) return [];
  const inside = commands.filter(
    ({ path, isHidden }) => !isHidden && names.every((name, index) => path[index] === name),
  );
  const paths = inside.map(({ path }) => path.join(' '));
  return paths.length > 1 || paths[0] !== names.join(' ') ? paths : [];
}

function usageLine(definition: CommandDefinition): string {
  return ['greenroom', ...definition.path, usageOf(definition)].join(' ').trim();
}

function examplesOf({ examples }: CommandDefinition): string {
  if (examples.length === 0) return '';
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, summary }) => `  greenroom ${line.padEnd(width)}  ${summary}`);
  return ['', bold('Examples:'), ...lines].join('\n');
}

/** The help removes the style again if its output has no colours. */
function bold(text: string): string {
  return styleText('bold', text, { validateStream: false });
}
