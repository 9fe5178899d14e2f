/** A SQL file of a project, split into statements, and the errors that show a place in it. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { failedStatementOf, type Statement } from '@greenroom/postgres';
import { offsetOfRow, withRows } from './copy-rows.ts';
import { excerptOf, offsetOfPosition, placeOf } from './excerpt.ts';
import { type SqlStatement, splitStatements } from './split.ts';
import { SqlTextError } from './tokens.ts';

/** A SQL file that has been read. */
export interface SqlFile {
  /** For messages and the history: relative to the folder of the project, with slashes. */
  path: string;
  sql: string;
  statements: readonly SqlStatement[];
}

/** A SQL file cannot be read as statements, or one of its statements failed. The message shows the place. */
export class SqlFileError extends Error {
  override readonly name = 'SqlFileError';
  /** Path as in {@link SqlFile}. */
  readonly path: string;
  /** Number of the statement in its file, from 1; undefined if the file has no statements to number. */
  readonly statement: number | undefined;

  constructor(message: string, path: string, statement: number | undefined, cause: unknown) {
    super(message, { cause });
    this.path = path;
    this.statement = statement;
  }
}

/** The fields of pg's `DatabaseError` that are shown. */
interface DatabaseErrorFields {
  message: string;
  code?: string;
  severity?: string;
  detail?: string;
  hint?: string;
  where?: string;
  position?: string;
}

/** Reads a file. Throws {@link SqlFileError} if it cannot be split. */
export async function readSqlFile(location: string, path: string): Promise<SqlFile> {
  return parseSqlFile(path, await readFile(location, 'utf8'));
}

/** Returns the SHA-256 of the text of a file in hexadecimal, with or without the mark at its beginning (U+FEFF). */
export function hashOfSql(sql: string): string {
  return hash('sha256', withoutMark(sql));
}

function withoutMark(sql: string): string {
  return sql.replace(/^\uFEFF/, '');
}

/** Returns a statement as it is sent to PostgreSQL. */
export function requestOf({ text, rows }: SqlStatement): Statement {
  return rows ? { text, rows: rows.text } : { text };
}

/** Returns the text of a statement for the history, with the rows that follow it. */
export function recordedText({ text, rows }: SqlStatement): string {
  return rows ? withRows(text, rows) : text;
}

/** Splits the text of a file. Throws {@link SqlFileError}. */
export function parseSqlFile(path: string, sql: string): SqlFile {
  const text = withoutMark(sql);
  try {
    return { path, sql: text, statements: splitStatements(text) };
  } catch (error) {
    if (!(error instanceof SqlTextError)) throw error;
    const lines = [
      `${path}, line ${placeOf(text, error.offset).line}: ${error.message}`,
      ...excerptOf(text, error.offset),
    ];
    throw new SqlFileError(lines.join('\n'), path, undefined, error);
  }
}

/**
 * Returns the error to report for a statement of a file that PostgreSQL refused: file, line, statement, message, SQLSTATE,
 * the text around the position, detail, hint and context.
 * @param index index of the statement; the number of statements means the commit after the last one
 * @param advice lines at the end
 */
export function statementError(
  { path, sql, statements }: SqlFile,
  { index, error, advice = [] }: { index: number; error: Error; advice?: readonly string[] },
): SqlFileError {
  const { message, code, detail, hint, where, position } = error as DatabaseErrorFields;
  const statement = statements[index];
  const state = code === undefined ? '' : ` (SQLSTATE ${code})`;
  const row = statement?.rows && offsetOfRow(statement.rows, where);
  const offset = row ?? (statement && offsetOf(statement, position));
  const at =
    statement === undefined || offset === undefined
      ? `${path}, at its commit`
      : `${path}, line ${placeOf(sql, offset).line}, statement ${index + 1}`;
  const lines = [
    `${at}: ${message}${state}`,
    ...(statement && offset !== undefined
      ? excerptOf(sql, offset, {
          range: rangeOf(row === undefined ? statement : (statement.rows ?? statement)),
        })
      : []),
    ...labelled('detail', detail),
    ...labelled('hint', hint),
    ...labelled('context', where),
    ...advice,
  ];
  return new SqlFileError(lines.join('\n'), path, statement && index + 1, error);
}

/** SQL that was run as a whole. */
interface QueryText {
  sql: string;
  /** Undefined for SQL that is in no file. */
  path: string | undefined;
  /** Line of the file where `sql` begins; then the message has a line in any case. Default: `sql` is the whole file. */
  firstLine?: number;
}

/**
 * Returns the error to report for SQL that PostgreSQL refused as a whole, with the text around the position; the same error
 * if it is not PostgreSQL's.
 */
export function queryError(error: unknown, { sql, path, firstLine }: QueryText): unknown {
  const { message, code, severity, detail, hint, where, position } = error as DatabaseErrorFields;
  if (!(error instanceof Error) || severity === undefined) return error;
  const found = position === undefined ? undefined : offsetOfPosition(sql, Number(position));
  const offset = found ?? (firstLine === undefined ? undefined : 0);
  const line = offset === undefined ? undefined : `line ${placeOf(sql, offset).line + (firstLine ?? 1) - 1}`;
  const at = [path, line].filter((part) => part !== undefined).join(', ');
  const lines = [
    `${at === '' ? '' : `${at}: `}${message} (SQLSTATE ${code})`,
    ...(offset === undefined ? [] : excerptOf(sql, offset, { firstLine })),
    ...labelled('detail', detail),
    ...labelled('hint', hint),
    ...labelled('context', where),
  ];
  return new SqlFileError(lines.join('\n'), path ?? '', undefined, error);
}

/** Returns the index of the statement that failed; undefined if `error` is not PostgreSQL's. */
export function failedIndexOf(error: unknown): number | undefined {
  return error instanceof Error ? failedStatementOf(error) : undefined;
}

function rangeOf({ text, offset }: Pick<SqlStatement, 'text' | 'offset'>) {
  return { start: offset, end: offset + text.length };
}

/** Returns the offset in the file of an error's position, or of the statement if the error has none. */
function offsetOf({ text, offset, codeOffset }: SqlStatement, position: string | undefined): number {
  return offset + (position === undefined ? codeOffset : offsetOfPosition(text, Number(position)));
}

function labelled(label: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`${label}: ${text}`];
}
