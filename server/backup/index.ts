/** Backups of instances, and restores. */
export { readSecretFile } from './archive-secrets.ts';
export { contentSource } from './content-source.ts';
export { createInstanceBackup } from './create-instance-backup.ts';
export { openInstanceArchive } from './open-instance-archive.ts';
export { lowerPriority } from './priority.ts';
export { restoreInto } from './restore-into.ts';
export { verifyInstanceBackup } from './verify-instance-backup.ts';
