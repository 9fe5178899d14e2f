/**
 * Compares the schemas of two databases. A separate entry, because the library that plans the changes is loaded only by
 * commands that compare schemas.
 */
export { applyDeclaredFiles, readDeclaredFiles } from './declared-files.ts';
export { filesOfStatements, parseSchemaFile, type SchemaFile } from './export-files.ts';
export { migrationText } from './migration-text.ts';
export { planChanges, type SchemaChanges } from './plan-changes.ts';
export { SchemaDiffError } from './schema-diff-error.ts';
export { nameOfObject } from './unmodelled.ts';
