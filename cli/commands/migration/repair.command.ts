import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration repair`. */
export const migrationRepair = defineCommand({
  path: ['migration', 'repair'],
  summary: 'Change the history without running anything',
  arguments: [{ name: 'version', summary: 'Versions of migrations', isRequired: true, isVariadic: true }],
  options: {
    status: {
      value: 'status',
      choices: ['applied', 'reverted'],
      isRequired: true,
      summary: 'How the versions are recorded',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'migration repair --status applied 20240101000000', summary: 'Record a version as applied' },
    { line: 'migration repair --status reverted 1 2', summary: 'Remove versions from the history' },
  ],
  async run({ options: { status, 'db-url': databaseUrl }, operands: versions, project }) {
    printLines(await (await import('./repair.ts')).repair({ status, versions, databaseUrl }, project));
    return 0;
  },
});
