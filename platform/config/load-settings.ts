/** Loads the configuration of the instance together with one group of settings. */
import type { ConfigSource } from './config-source.ts';
import { type InstanceConfig, instanceSettings } from './instance.ts';
import { parseSettings, resolveSource } from './read-settings.ts';
import type { SettingsGroup, SettingsTree } from './settings-group.ts';

/** The context that a group needs in addition to its own values. */
export interface SettingsContext {
  instance: InstanceConfig;
  /** Resolved source, for settings whose names are not known in advance. */
  source: ConfigSource;
}

/**
 * Loads one group, e.g. the settings of a service.
 * @throws ConfigError that lists every wrong setting of the instance and the group
 */
export function loadSettings<Tree extends SettingsTree, Config>(
  group: SettingsGroup<Tree, SettingsContext, Config>,
  source: ConfigSource,
): Config {
  const tree = { instance: instanceSettings.tree, group: group.tree };
  const resolved = resolveSource(tree, source);
  const values = parseSettings(tree, resolved) as {
    instance: Parameters<typeof instanceSettings.complete>[0];
    group: Parameters<typeof group.complete>[0];
  };
  const instance = instanceSettings.complete(values.instance, undefined as never);
  return group.complete(values.group, { instance, source: resolved });
}
