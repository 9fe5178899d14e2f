/** Prints the versions of the parts of an instance. */
import { embeddedVersion } from '@greenroom/postgres';
import { lastMigrationOfEach } from '@greenroom/server';
import { VERSION } from '@greenroom/server/version';
import { printLines } from '../print-lines.ts';
import { tableLines } from '../table-lines.ts';

/** Prints a table, or an array of objects. */
export async function printVersions(format: 'pretty' | 'json'): Promise<number> {
  const schemas = Object.entries(await lastMigrationOfEach());
  const parts = [
    { name: 'greenroom', version: VERSION },
    { name: 'node', version: process.versions.node },
    { name: 'postgres', version: await embeddedVersion() },
    ...schemas.map(([name, version]) => ({ name: `schema of ${name}`, version })),
  ];
  if (format === 'json') printLines([JSON.stringify(parts, null, 2)]);
  else printLines(tableLines([['PART', 'VERSION'], ...parts.map(({ name, version }) => [name, version])]));
  return 0;
}
