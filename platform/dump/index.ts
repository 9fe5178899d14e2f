/** Dumps of a database as SQL: schemas, rows or roles, in the form of the Supabase CLI. */
export { dataArguments, dumpData } from './data-dump.ts';
export { dumpRoles, ROLES_QUERY } from './role-dump.ts';
export { dumpSchema, schemaArguments } from './schema-dump.ts';
