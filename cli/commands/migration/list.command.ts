import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration list`. */
export const migrationList = defineCommand({
  path: ['migration', 'list'],
  summary: 'List files and applied migrations',
  options: {},
  examples: [{ line: 'migration list', summary: 'Compare supabase/migrations with the database' }],
  async run({ project }) {
    printLines(await (await import('./list.ts')).listMigrations(project));
    return 0;
  },
});
