/** The files that the settings of an instance come from. The command line reads them, because it knows all of their sources. */
import type { ConfigSource, Layer } from '@greenroom/config';
import type { Project } from '@greenroom/project';
import type { ReloadedSettings } from '../../reload-settings.ts';

/** The settings that were read last without an error. */
interface CurrentSettings {
  source: ConfigSource;
  /** The values in `source` with their origins. */
  values: Layer;
  /** Undefined without a project. */
  project: Project | undefined;
  hasConfigFile: boolean;
}

/** Access to the files while an instance runs. */
export interface SettingsFiles {
  current(): CurrentSettings;
  /**
   * Reads the files again and applies their settings. Rejects with `ConfigError` or another error that names the mistake; then the
   * former settings stay.
   */
  reload(): Promise<ReloadedSettings>;
}
