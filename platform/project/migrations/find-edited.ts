/** Finds applied migrations whose files differ from the history. */
import type { Session } from '@greenroom/postgres';
import { readHistory } from '../database/history.ts';
import { hashOfSql } from '../sql/sql-file.ts';
import { readText } from './apply.ts';
import type { MigrationFile } from './migration-files.ts';
import { type AppliedFile, isEdited } from './plan.ts';
import { readVerified, replaceVerified, type VerifiedFile } from './verified.ts';

/** An applied migration as a start finds it. */
interface FoundFile extends VerifiedFile {
  file: MigrationFile;
  sql: string;
}

/** Returns the files that were edited after they were applied. The others are remembered, so that a later call is cheap. */
export async function findEdited(
  session: Session,
  applied: readonly AppliedFile[],
): Promise<MigrationFile[]> {
  const isVerified = await readVerified(session);
  const found = applied.map(foundFile);
  const unknown = found.filter((each) => !isVerified(each));
  if (unknown.length === 0) return [];
  const edited = await compare(session, unknown);
  const equal = found.filter((each) => !edited.has(each));
  if (edited.size < unknown.length) await session.batch([replaceVerified(equal)]);
  return [...edited].map(({ file }) => file);
}

function foundFile({ file, record: { version, writtenBy } }: AppliedFile): FoundFile {
  const sql = readText(file);
  return { file, sql, version, writtenBy, hash: hashOfSql(sql) };
}

async function compare(session: Session, files: readonly FoundFile[]): Promise<ReadonlySet<FoundFile>> {
  const history = await readHistory(
    session,
    files.map(({ version }) => version),
  );
  const records = new Map(history.map((record) => [record.version, record]));
  return new Set(
    files.filter(({ version, sql }) => {
      const record = records.get(version);
      return record !== undefined && isEdited(sql, record);
    }),
  );
}
