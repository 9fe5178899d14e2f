/** Arranges hits in the groups of the palette. */
import type { IconName } from '../../ui/icon.tsx';
import type { ShownGroup } from './arrange-commands.ts';
import type { Command } from './commands.ts';
import { HIT_GROUPS, type Hit, type HitGroup, type Hits } from './hits/hits.ts';

const ICONS: Readonly<Record<HitGroup, IconName>> = {
  people: 'user',
  tables: 'lucide:table',
  settings: 'lucide:settings',
};

/** Returns the groups that are not empty. @param allUsersLabel label of the command that opens the list of all users */
export function hitGroups(hits: Hits, allUsersLabel: string): ShownGroup[] {
  const lists: Record<HitGroup, Command[]> = {
    people: [...hits.people.map((hit) => toCommand(hit, 'people')), ...listOfUsers(hits, allUsersLabel)],
    tables: hits.tables.map((hit) => toCommand(hit, 'tables')),
    settings: hits.settings.map((hit) => toCommand(hit, 'settings')),
  };
  return HIT_GROUPS.map((name) => ({ name, commands: lists[name] })).filter(
    ({ commands }) => commands.length > 0,
  );
}

function listOfUsers({ allUsers: to }: Hits, label: string): Command[] {
  return to === null
    ? []
    : [{ ...toCommand({ to, label, detail: '', words: [] }, 'people'), icon: 'search' }];
}

function toCommand({ to, label, detail, words }: Hit, group: HitGroup): Command {
  return { id: to, group, label, detail, words, icon: ICONS[group], action: { kind: 'go', to } };
}
