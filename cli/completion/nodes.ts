/** The words that a shell completes, derived from the definitions of the commands. */
import type { OptionDefinition, OptionDefinitions, Program } from '../definition.ts';

/** A word and its meaning. */
interface Candidate {
  word: string;
  summary: string;
}

/** A flag of an option. */
export interface Flag extends Candidate {
  /** The words of its value: undefined for a switch, empty for any text. */
  values: readonly string[] | undefined;
  /** Whether the value is the path of a file or folder. */
  isPath: boolean;
}

/** The state of a command line: the commands that it names so far. */
interface CompletionNode {
  /** Names of the commands, separated by spaces; empty at the beginning. */
  path: string;
  subcommands: readonly Candidate[];
  /** Without those of all commands. */
  flags: readonly Flag[];
}

/** The states of a program, and the flags of all commands. */
export interface CompletionNodes {
  nodes: readonly CompletionNode[];
  globalFlags: readonly Flag[];
}

const PATHS = new Set(['path', 'folder', 'file']);

/** Returns the states of a program, without hidden commands and options. */
export function completionNodes({ commands, ...others }: Program): CompletionNodes {
  const program = { ...others, commands: commands.filter(({ isHidden }) => !isHidden) };
  const help = { word: 'help', summary: 'Print the help of a command' };
  const prefixes = program.commands.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1)));
  const paths = new Map(prefixes.map((path) => [path.join(' '), path]));
  return {
    nodes: [
      { path: '', subcommands: [...subcommandsOf([], program), help], flags: [] },
      ...Array.from(paths.values(), (path) => nodeAt(path, program)),
    ],
    globalFlags: [
      ...flagsOf(program.globalOptions),
      { word: '--help', summary: 'Print the help of a command', values: undefined, isPath: false },
    ],
  };
}

/** The flags are those of the command, or of the one that runs if the rest of its path is omitted. */
function nodeAt(names: readonly string[], program: Program): CompletionNode {
  const initial = program.commands.find(
    ({ path, isDefault }) =>
      startsWith(path, names) &&
      (path.length === names.length || (isDefault && path.length === names.length + 1)),
  );
  return {
    path: names.join(' '),
    subcommands: subcommandsOf(names, program),
    flags: flagsOf(initial?.options ?? {}),
  };
}

/** Returns the names that may follow. */
function subcommandsOf(names: readonly string[], { commands, groups }: Program): Candidate[] {
  const inside = commands.filter(({ path }) => startsWith(path, names));
  const words = new Set(inside.flatMap(({ path }) => path.slice(names.length, names.length + 1)));
  return Array.from(words, (word) => {
    const path = [...names, word].join(' ');
    const own = commands.find((command) => command.path.join(' ') === path);
    return { word, summary: own?.summary ?? groups[path] ?? '' };
  });
}

function startsWith(path: readonly string[], names: readonly string[]): boolean {
  return names.every((name, index) => path[index] === name);
}

function flagsOf(options: OptionDefinitions): Flag[] {
  return Object.entries(options).flatMap(([name, definition]) => {
    const { summary, short, isNegatable, isHidden } = definition;
    if (isHidden) return [];
    const value = flagValueOf(definition);
    return [
      { word: `--${name}`, summary, ...value },
      ...(short === undefined ? [] : [{ word: `-${short}`, summary, ...value }]),
      ...(isNegatable ? [{ word: `--no-${name}`, summary: `The opposite of --${name}`, ...value }] : []),
    ];
  });
}

function flagValueOf({ value, choices = [] }: OptionDefinition): Pick<Flag, 'values' | 'isPath'> {
  return {
    values: value === undefined ? undefined : choices,
    isPath: value !== undefined && PATHS.has(value),
  };
}
