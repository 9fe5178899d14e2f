/** Applies new settings to a running instance, as far as they need no restart. */
import type { ConfigSource, Setting } from '@greenroom/config';
import type { PreparedSettings } from '@greenroom/service';
import { allSettings, type Config, loadConfig, RELOADABLE } from './settings.ts';

/** The outcome of a reload: names of settings whose values differ from those of the running instance. */
export interface ReloadedSettings {
  applied: readonly string[];
  /** Their former values stay until a restart. */
  needRestart: readonly string[];
}

/** The functions of an instance that a reload calls. */
interface ReloadTarget {
  /** Rejects with `ConfigError`; then nothing is applied. */
  prepare(config: Config): Promise<PreparedSettings>;
  /** Receives the configuration that the instance has afterwards. */
  onApplied(config: Config): Promise<void>;
}

/** Reloads of one instance, which run one after the other. */
interface SettingsReload {
  /**
   * Applies the reloadable settings of a source. Rejects with `ConfigError` for a wrong value of any setting; then nothing
   * changes.
   */
  apply(source: ConfigSource): Promise<ReloadedSettings>;
  /** Returns the configuration of the running instance. */
  config(): Config;
}

/** @param initial configuration of the start */
export function createSettingsReload(initial: Config, target: ReloadTarget): SettingsReload {
  let running = initial;
  let last: Promise<unknown> = Promise.resolve();

  async function apply(source: ConfigSource): Promise<ReloadedSettings> {
    // Reports wrong values of settings that are not applied, too.
    loadConfig(source);
    const changed = changedNames(running.source, source);
    const next = loadConfig(withReloadable(running.source, source));
    const prepared = await target.prepare(next);
    prepared.apply();
    running = next;
    await target.onApplied(next);
    return {
      applied: changed.filter((name) => RELOADABLE.has(name)),
      needRestart: changed.filter((name) => !RELOADABLE.has(name)),
    };
  }

  return {
    config: () => running,
    apply(source) {
      const outcome = last.then(() => apply(source));
      last = outcome.catch(() => undefined);
      return outcome;
    },
  };
}

function changedNames(running: ConfigSource, next: ConfigSource): string[] {
  const changed = allSettings.filter((setting) => textOf(setting, running) !== textOf(setting, next));
  return changed.map(({ name }) => name);
}

function textOf({ name, details }: Setting, source: ConfigSource): string | undefined {
  const text = source[name];
  return text === undefined || (text === '' && !details.acceptsEmpty) ? details.default : text;
}

/** Returns the new source with the running values of settings that need a restart. */
function withReloadable(running: ConfigSource, next: ConfigSource): ConfigSource {
  const kept = allSettings
    .filter(({ name }) => !RELOADABLE.has(name))
    .map(({ name }) => [name, running[name]]);
  return { ...next, ...Object.fromEntries(kept) };
}
