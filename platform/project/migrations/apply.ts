/** Applies migrations: the statements of one file in one batch, with the record of the migration. */
import { readFileSync } from 'node:fs';
import type { Session } from '@greenroom/postgres';
import { insertRecord } from '../database/history.ts';
import { RESET_SESSION } from '../database/project-session.ts';
import {
  failedIndexOf,
  hashOfSql,
  readSqlFile,
  recordedText,
  requestOf,
  type SqlFile,
  statementError,
} from '../sql/sql-file.ts';
import { hasCommittedBefore } from '../sql/transactions.ts';
import type { MigrationFile } from './migration-files.ts';
import type { VerifiedFile } from './verified.ts';

/** active_sql_transaction: the statement runs only outside of transactions. */
const IN_TRANSACTION = '25001';
/** insufficient_privilege. */
const PERMISSION_DENIED = '42501';

const CREATE_EVENT_TRIGGER = /^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+event\s+trigger\s/i;

/** A migration fails instead of making all requests wait behind it for a lock. */
const SET_LOCK_TIMEOUT = { text: `set lock_timeout = '4s'` };

/** Returns the path of a migration for messages. */
export function pathOf({ fileName }: MigrationFile): string {
  return `supabase/migrations/${fileName}`;
}

/** Returns the text of a migration. Synchronous, because a start reads hundreds of small files: that takes a fifth of the time. */
export function readText({ location }: MigrationFile): string {
  return readFileSync(location, 'utf8');
}

/** Reads a migration. Throws `SqlFileError` if it cannot be split. */
export function readMigration(file: MigrationFile): Promise<SqlFile> {
  return readSqlFile(file.location, pathOf(file));
}

/**
 * Applies one migration. Its statements and its record are one implicit transaction, unless the file ends it with COMMIT.
 * Throws `SqlFileError`; then the migration is not recorded, and the session must be closed.
 */
export async function applyMigration(session: Session, file: MigrationFile): Promise<VerifiedFile> {
  const content = await readMigration(file);
  const writtenBy = await applyContent(session, file, content);
  return { version: file.version, hash: hashOfSql(content.sql), writtenBy };
}

/**
 * Applies a migration like {@link applyMigration}, with this content instead of that of its file. Returns `writtenBy` of its
 * record.
 */
export async function applyContent(session: Session, file: MigrationFile, content: SqlFile): Promise<string> {
  const { version, name } = file;
  const statements = content.statements.map(recordedText);
  await session.batch([...RESET_SESSION, SET_LOCK_TIMEOUT]);
  const batch = [...content.statements.map(requestOf), insertRecord({ version, name, statements })];
  try {
    const results = await session.batch(batch);
    return String(results.at(-1)?.[0]?.written_by);
  } catch (error) {
    throw migrationError(content, file, error);
  }
}

function migrationError(content: SqlFile, { version }: MigrationFile, error: unknown): unknown {
  const index = failedIndexOf(error);
  if (index === undefined) return error;
  const advice = hasCommittedBefore(content.statements, index)
    ? [
        'Statements in front of it are committed, because the file ends transactions itself or begins with a statement that',
        `commits at once. Undo them by hand, or complete them and record it: greenroom migration repair --status applied ${version}`,
      ]
    : [
        ...adviceFor(error as { code?: string }, content.statements[index]?.text ?? ''),
        'Nothing of this file was kept.',
      ];
  return statementError(content, { index, error: error as Error, advice });
}

function adviceFor({ code }: { code?: string }, statement: string): string[] {
  if (code === IN_TRANSACTION)
    return [
      'Move the statement to the beginning of a file of its own: there it is not part of a transaction.',
    ];
  if (code === PERMISSION_DENIED && CREATE_EVENT_TRIGGER.test(statement))
    return [
      'Greenroom has no event triggers of projects, because their functions would also run for superusers. Remove the statement.',
    ];
  return [];
}
