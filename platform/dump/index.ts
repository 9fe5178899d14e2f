/** Dumps of a database as SQL: schemas, rows or roles, in the form of the Supabase CLI; and restoring backups. */
export { dataArguments, dumpData } from './data-dump.ts';
export { restoreBackup } from './restore/restore-backup.ts';
export { dumpRoles, ROLES_QUERY } from './role-dump.ts';
export { dumpSchema, schemaArguments } from './schema-dump.ts';
export { settingText } from './setting-text.ts';
export { openSnapshotSession, type SnapshotSession } from './snapshot-session.ts';
