/** Arranges commands in the groups of the palette. */
import { COMMAND_GROUPS, type Command, type CommandGroup } from './commands.ts';
import type { HitGroup } from './hits/hits.ts';
import { searchCommands } from './search-commands.ts';

/** A group that is not empty. */
export interface ShownGroup {
  name: CommandGroup | HitGroup | 'recent';
  commands: Command[];
}

/**
 * Without a query: recent commands, then the others in their order. With a query: matching commands,
 * starting with the group of the best match. Each command appears once.
 */
export function arrangeCommands(
  commands: readonly Command[],
  query: string,
  recent: readonly string[],
): ShownGroup[] {
  if (query.trim()) {
    const found = searchCommands(commands, query);
    return inGroups(found, [...new Set(found.map(({ group }) => group))]);
  }
  const used = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  const rest = commands.filter((command) => !used.includes(command));
  const groups = inGroups(rest, COMMAND_GROUPS);
  return used.length > 0 ? [{ name: 'recent', commands: used }, ...groups] : groups;
}

function inGroups(commands: readonly Command[], names: readonly Command['group'][]): ShownGroup[] {
  return names
    .map((name) => ({ name, commands: commands.filter(({ group }) => group === name) }))
    .filter((group) => group.commands.length > 0);
}
