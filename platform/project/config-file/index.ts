/**
 * `supabase/config.toml`. An entry of its own, because the parser is loaded only if a project has the file.
 */
export { type ConfigFile, type ConfigFileOptions, parseConfigFile, readConfigFile } from './config-file.ts';
export { ConfigFileError, parseConfigDocument, valueAt } from './document.ts';
export { ConfigEditError, editConfigText } from './edit-document.ts';
export { KEYS_WITHOUT_SETTING, type KeyWithoutSetting } from './keys-without-setting.ts';
export { documentedNames } from './known-keys.ts';
export { KEYS_TITLE, keysWithoutSettingReference } from './reference.ts';
export { DEFAULT_SCHEMA_KEYS, type SchemaKeys } from './schema-keys.ts';
