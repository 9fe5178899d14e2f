/** Names of the database for completion, in a short form: a large database has tens of thousands of columns. */

/** A table or view: its schema, name and columns with their types. */
export type SchemaTable = readonly [
  schema: string,
  name: string,
  kind: 'table' | 'view',
  columns: readonly (readonly [name: string, type: string])[],
];

/** A function or type: its schema and name; functions also have their arguments. */
export type SchemaName = readonly [schema: string, name: string, arguments?: string];

/** Names of the database. Those of the system are last. */
export interface DatabaseSchema {
  schemas: readonly string[];
  tables: readonly SchemaTable[];
  functions: readonly SchemaName[];
  types: readonly SchemaName[];
}
