/** Gives a running instance access to the files of its settings. */
import type { ReloadedSettings, SettingsFiles } from '@greenroom/server';
import type { Settings } from './settings.ts';

/** The part of a reloader that the instance uses. */
interface ConnectedReloader {
  settings(): Settings;
  apply(): Promise<ReloadedSettings>;
}

/** Access to files by a reloader that is created after the instance. */
export interface SettingsFilesRelay extends SettingsFiles {
  connect(reloader: ConnectedReloader): void;
}

/** @param initial settings of the start, which apply until a reloader is connected */
export function relaySettingsFiles(initial: Settings): SettingsFilesRelay {
  let reloader: ConnectedReloader | undefined;
  return {
    connect(connected) {
      reloader = connected;
    },
    current() {
      const { source, values, project, configFile } = reloader?.settings() ?? initial;
      return { source, values, project, hasConfigFile: configFile !== undefined };
    },
    async reload() {
      if (reloader === undefined) throw new Error('the instance is starting');
      return reloader.apply();
    },
  };
}
