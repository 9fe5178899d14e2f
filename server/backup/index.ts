/** Backups of instances, and restores. */
export { readSecretFile } from './archive-secrets.ts';
export { checkedText } from './check-database/check-database.ts';
export { collectRarely } from './collect-rarely.ts';
export { contentSource } from './content-source.ts';
export { createInstanceBackup } from './create-instance-backup.ts';
export { openInstanceArchive, requireUsablePlace } from './open-instance-archive.ts';
export { nextStatements } from './part/next-statements.ts';
export { type RestoredPartOfBucket, restorePart } from './part/restore-part.ts';
export type { RestoredTable } from './part/restore-tables.ts';
export { restoredBucket, restoredSchema } from './part/restored-names.ts';
export { parseSelections, type Selection } from './part/selection.ts';
export { lowerPriority } from './priority.ts';
export { restoreInto } from './restore-into.ts';
export { verifyInstanceBackup } from './verify-instance-backup.ts';
