import { defineCommand } from '../../definition.ts';

/** `greenroom test db`. */
export const testDb = defineCommand({
  path: ['test', 'db'],
  summary: 'Run the pgTAP tests of the project',
  description: 'Each file runs in a session of its own. --debug prints the complete output.',
  arguments: [
    {
      name: 'path',
      summary: 'Files, or folders with .sql and .pg files (default: supabase/tests)',
      isVariadic: true,
    },
  ],
  options: {
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'test db', summary: 'Run all tests' },
    { line: 'test db supabase/tests/notes_test.sql', summary: 'Run one file' },
  ],
  async run({ options: { 'db-url': databaseUrl }, operands, project, isDebug }) {
    const { testDatabase } = await import('../../pgtap/test-database.ts');
    return testDatabase({ paths: operands, databaseUrl, showsAll: isDebug }, project);
  },
});
