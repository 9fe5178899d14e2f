/** Marks the settings whose new values a running instance applies. */
import { Setting } from './setting.ts';
import type { SettingsTree } from './settings-group.ts';

/**
 * Returns the tree with its settings marked: a reload applies their new values.
 * @param isReloadable selects the settings to mark. Default: all.
 */
export function reloadable<Tree extends SettingsTree>(
  tree: Tree,
  isReloadable: (setting: Setting) => boolean = () => true,
): Tree {
  const entries = Object.entries(tree).map(([key, node]) => [
    key,
    node instanceof Setting ? marked(node, isReloadable(node)) : reloadable(node, isReloadable),
  ]);
  return Object.fromEntries(entries) as Tree;
}

function marked(setting: Setting, isReloadable: boolean): Setting {
  return isReloadable ? setting.with({ isReloadable }) : setting;
}

/** Returns the names of the settings that are marked wherever they are used; the same setting may be in several groups. */
export function reloadableNames(settings: readonly Setting[]): ReadonlySet<string> {
  const fixed = new Set(settings.filter(({ details }) => !details.isReloadable).map(({ name }) => name));
  return new Set(settings.map(({ name }) => name).filter((name) => !fixed.has(name)));
}
