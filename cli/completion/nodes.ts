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

/** Returns the states of a program. */
export function completionNodes({ commands, groups, globalOptions }: Program): CompletionNodes {
  const names = [...new Set(commands.map(({ path: [name] }) => name))];
  const top = names.map((name) => {
    const own = commands.find(({ path }) => path.length === 1 && path[0] === name);
    return { word: name, summary: own?.summary ?? groups[name] ?? '' };
  });
  const help = { word: 'help', summary: 'Print the help of a command' };
  const ofGroups = names.map((name) => {
    const inside = commands.filter(({ path }) => path[0] === name);
    const subcommands = inside.flatMap(({ path: [, word], summary }) =>
      word === undefined ? [] : [{ word, summary }],
    );
    const initial = inside.find(({ path, isDefault }) => path.length === 1 || isDefault);
    return { path: name, subcommands, flags: flagsOf(initial?.options ?? {}) };
  });
  const ofSubcommands = commands
    .filter(({ path }) => path.length === 2)
    .map(({ path, options }) => ({ path: path.join(' '), subcommands: [], flags: flagsOf(options) }));
  return {
    nodes: [{ path: '', subcommands: [...top, help], flags: [] }, ...ofGroups, ...ofSubcommands],
    globalFlags: [
      ...flagsOf(globalOptions),
      { word: '--help', summary: 'Print the help of a command', values: undefined, isPath: false },
    ],
  };
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
