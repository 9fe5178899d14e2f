/**
 * Migrations that are held back: after a reset to a version, starts do not apply later ones until `migration up` asks for
 * them.
 */
import type { Session } from '@greenroom/postgres';
import type { MigrationFile } from './migration-files.ts';

/** Stands for the version of the last migration if none is applied. */
export const NO_VERSION = '';

/** Returns the version of the last migration that a start applies; undefined if it applies all of them. */
export async function readLastVersion(session: Session): Promise<string | undefined> {
  const [[row] = []] = await session.batch([{ text: 'select last_version from greenroom.project' }]);
  return (row?.last_version as string | null | undefined) ?? undefined;
}

/** Stores the version for {@link readLastVersion}. */
export async function writeLastVersion(session: Session, version: string | undefined): Promise<void> {
  await session.batch([
    { text: 'update greenroom.project set last_version = $1', values: [version ?? null] },
  ]);
}

/**
 * Splits pending migrations into those to apply and those to hold back.
 * @param files all migrations, in the order in which they are applied
 * @param lastVersion undefined applies all; a version without a file applies none
 */
export function splitHeld(
  pending: readonly MigrationFile[],
  files: readonly MigrationFile[],
  lastVersion: string | undefined,
): { due: readonly MigrationFile[]; held: readonly MigrationFile[] } {
  if (lastVersion === undefined) return { due: pending, held: [] };
  const last = files.findIndex(({ version }) => version === lastVersion);
  const due = new Set(files.slice(0, last + 1));
  return {
    due: pending.filter((file) => due.has(file)),
    held: pending.filter((file) => !due.has(file)),
  };
}
