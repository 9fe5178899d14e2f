import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration fetch`. */
export const migrationFetch = defineCommand({
  path: ['migration', 'fetch'],
  summary: 'Write the migrations of the database as files',
  options: {
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'migration fetch', summary: 'Write missing files; ask before another content is replaced' },
    { line: 'migration fetch --yes', summary: 'Replace without a question' },
  ],
  async run({ options: { 'db-url': databaseUrl }, project, isConfirmed }) {
    printLines(await (await import('./fetch.ts')).fetchMigrations({ databaseUrl, isConfirmed }, project));
    return 0;
  },
});
