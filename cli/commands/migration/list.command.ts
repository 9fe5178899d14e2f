import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration list`. */
export const migrationList = defineCommand({
  path: ['migration', 'list'],
  summary: 'List files and applied migrations',
  options: {
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [{ line: 'migration list', summary: 'Compare supabase/migrations with the database' }],
  async run({ options: { 'db-url': databaseUrl }, project }) {
    printLines(await (await import('./list.ts')).listMigrations(databaseUrl, project));
    return 0;
  },
});
