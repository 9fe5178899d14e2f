/** Generates the tables of all settings for the reference page in `docs/`. */
import { configKeysOf } from './config-key.ts';
import { allowedTexts } from './read-settings.ts';
import { reloadableNames } from './reloadable.ts';
import type { Setting } from './setting.ts';
import { type SettingsTree, settingsIn } from './settings-group.ts';

/** The part of a group that is documented. */
interface DocumentedGroup {
  title: string;
  tree: SettingsTree;
  documentedOnly?: readonly Setting[];
}

/**
 * Returns one section for each group, with one row of a Markdown table for each setting: name, default, allowed values,
 * key of config.toml, whether a reload applies it, description. Settings with the same `documentedAs` share one row; a
 * setting in several groups is listed in the first.
 */
export function configurationReference(groups: readonly DocumentedGroup[]): string {
  const documented = new Set<string>();
  const reloaded = reloadableNames(groups.flatMap(settingsOf));
  const sections = groups.map((group) => {
    const rows = settingsOf(group).flatMap((setting) => {
      const name = setting.details.documentedAs ?? setting.name;
      if (documented.has(name)) return [];
      documented.add(name);
      return [rowOf(name, setting, reloaded)];
    });
    return [
      `## ${group.title}`,
      '',
      '| Variable | Default | Allowed | Key of config.toml | Reload | Description |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return sections.join('\n\n');
}

function settingsOf({ tree, documentedOnly = [] }: DocumentedGroup): readonly Setting[] {
  return [...settingsIn(tree), ...documentedOnly];
}

function rowOf(name: string, setting: Setting, reloaded: ReadonlySet<string>): string {
  const { default: initial, description } = setting.details;
  const shown = initial === undefined || initial === '' ? '–' : `\`${initial}\``;
  const isReloaded = reloaded.has(setting.name) ? 'yes' : '–';
  const cells = [`\`${name}\``, shown, allowedTexts(setting), keysOf(setting), isReloaded];
  return `| ${[...cells, description].join(' | ')} |`;
}

/** Returns the keys, with the default of the file format if it differs. */
function keysOf(setting: Setting): string {
  const keys = configKeysOf(setting).map(({ key, documentedAs = key, default: initial }) => {
    const ofFile = initial === undefined ? '' : ` (default \`${JSON.stringify(initial)}\`)`;
    return `\`${documentedAs}\`${ofFile}`;
  });
  return keys.join(', ') || '–';
}
