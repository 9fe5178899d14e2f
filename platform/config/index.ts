/**
 * Configuration: declares, reads and documents settings, and contains the settings of the instance. Each service
 * declares its own settings in its folder.
 */
export { type AutomaticHttps, automaticHttpsTree } from './automatic-https.ts';
export {
  bytesText,
  durationText,
  listText,
  negatedText,
  pairsText,
  pathText,
  scalarText,
  selectedText,
  wordText,
} from './config-conversions.ts';
export { ConfigError, type ConfigProblem } from './config-error.ts';
export {
  type ConfigKey,
  type ConfigPaths,
  type ConfigValue,
  ConfigValueError,
  configKeysOf,
} from './config-key.ts';
export type { ConfigSource } from './config-source.ts';
export { apiKeysTree } from './configured-api-keys.ts';
export { loadDotEnv } from './dot-env.ts';
export { DEFAULT_DATABASE_TIMEOUT_MS, type InstanceConfig, instanceSettings } from './instance.ts';
export {
  booleanSetting,
  durationSetting,
  enumSetting,
  folderSetting,
  headerSetting,
  integerSetting,
  listSetting,
  parseDuration,
  rateSetting,
  splitList,
  textSetting,
  thousands,
  urlSetting,
} from './kinds.ts';
export {
  combineLayers,
  ENVIRONMENT,
  type Layer,
  type LayeredSource,
  type LayerValue,
  layerOf,
  withOrigins,
  withoutReplacedDefaults,
} from './layers.ts';
export { parseConnectionString, withLibpqVariables } from './libpq.ts';
export { listeningUrl } from './listening-url.ts';
export { loadSettings, type SettingsContext } from './load-settings.ts';
export { appUrlOf, isPublicUrl } from './public-url.ts';
export { parseSettings, resolveSource } from './read-settings.ts';
export { configurationReference } from './reference.ts';
export { reloadable, reloadableNames } from './reloadable.ts';
export { refusePublishedSecrets } from './require-local-instance.ts';
export { type Setting, setting } from './setting.ts';
export {
  type ConfigOf,
  defineSettings,
  missingSetting,
  type SettingsGroup,
  type SettingsOf,
  type SettingsTree,
  settingsIn,
} from './settings-group.ts';
export { shellWord } from './shell-word.ts';
export { parseSigningKeys } from './signing-keys.ts';
export { type TlsFiles, tlsTree } from './tls.ts';
