/** Instances for commands. `@greenroom/server/start` starts one: commands that do not need it load half as much code. */

export type { BackendInfo } from './backend-info.ts';
export { createFirstAdminLink } from './first-admin.ts';
export { openInstanceDatabase } from './instance-database.ts';
export { createInstanceKeyring, effectiveKeys, loadOrCreateKeys } from './instance-keys.ts';
export { publicUrlOf } from './loopback-url.ts';
export { lastMigrationOfEach, migrationFolders } from './migrations.ts';
export { requireEmbeddedDatabase } from './new-cluster.ts';
export type { SettingsFiles } from './operator/settings/settings-files.ts';
export { DEFAULT_DATABASE_PORT } from './postgres.ts';
export type { ReloadedSettings } from './reload-settings.ts';
export { resetDatabase } from './reset-database.ts';
export { requireNoDatabase, restoreDatabase } from './restore-database.ts';
export { servicesNamed } from './services.ts';
export type { Greenroom } from './start.ts';
export { type TrialServer, withTrialDatabase, withTrialServer } from './trial-database.ts';
