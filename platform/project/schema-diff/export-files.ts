/** The files of a declarative schema. */
import { parseSqlFile, type SqlFile } from '../sql/sql-file.ts';
import type { PlannedStatement } from './engine.ts';
import { statementsText } from './migration-text.ts';

/** A file of SQL. */
export interface SchemaFile {
  /** Relative to the folder of the schema files, with slashes. */
  path: string;
  sql: string;
}

/** Returns one file for each object, with its statements in their order. */
export function filesOfStatements(statements: readonly PlannedStatement[]): SchemaFile[] {
  const files = Map.groupBy(statements, ({ filePath }) => filePath);
  return Array.from(files, ([path, own]) => ({ path, sql: statementsText(own) })).toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
}

/** Splits a file into statements. */
export function parseSchemaFile({ path, sql }: SchemaFile): SqlFile {
  return parseSqlFile(path, sql);
}
