/** Lists the migrations of a project and of its database. */
import { listStates, type MigrationState } from '@greenroom/project';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { tableLines } from '../../table-lines.ts';
import { withTargetDatabase } from '../../target-database.ts';

/**
 * Returns a line for each migration.
 * @param databaseUrl database to compare with. Default: that of the instance.
 */
export async function listMigrations(
  databaseUrl: string | undefined,
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  const states = await withTargetDatabase({ config, toRun }, databaseUrl, (url) =>
    listStates(url, toRun.project),
  );
  if (states.length === 0) return ['no migrations. Create one: greenroom migration new <name>'];
  return tableLines([['LOCAL', 'APPLIED', 'TIME (UTC)', 'NAME'], ...states.map(rowOf)]);
}

function rowOf({ version, name, hasFile, isApplied, isEdited }: MigrationState): string[] {
  const applied = isEdited ? `${version} (edited since)` : version;
  return [hasFile ? version : '', isApplied ? applied : '', timeOf(version), name];
}

/** Versions are times, except in projects that number their migrations. */
function timeOf(version: string): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(version) ?? [];
  return year === undefined ? '' : `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}
