/**
 * Applied migrations whose files are known to equal their records. A later start compares only files and records that have
 * changed since: it neither reads the recorded statements nor normalises the files again.
 */
import type { Session } from '@greenroom/postgres';

/** A file that equals its record. */
export interface VerifiedFile {
  version: string;
  /** SHA-256 of its text. */
  hash: string;
  /** Id of the transaction that wrote the record. */
  writtenBy: string;
}

/** The entry of a file in the database: hash, and id of the transaction. */
type Remembered = readonly [hash: string, writtenBy: string];

/** Returns a function that finds out whether a file is known to equal its record. */
export async function readVerified(session: Session): Promise<(file: VerifiedFile) => boolean> {
  const [[row] = []] = await session.batch([{ text: 'select verified_migrations from greenroom.project' }]);
  const remembered = (row?.verified_migrations ?? {}) as Readonly<Record<string, Remembered>>;
  return ({ version, hash, writtenBy }) => {
    const [knownHash, knownWriter] = remembered[version] ?? [];
    return hash === knownHash && writtenBy === knownWriter;
  };
}

/** Returns the statement that remembers these files and forgets all others. */
export function replaceVerified(files: readonly VerifiedFile[]) {
  return { text: 'update greenroom.project set verified_migrations = $1', values: [jsonOf(files)] };
}

/** Returns the statement that remembers these files, too. */
export function addVerified(files: readonly VerifiedFile[]) {
  return {
    text: 'update greenroom.project set verified_migrations = verified_migrations || $1',
    values: [jsonOf(files)],
  };
}

function jsonOf(files: readonly VerifiedFile[]): string {
  const entries = files.map(({ version, hash, writtenBy }): [string, Remembered] => [
    version,
    [hash, writtenBy],
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
