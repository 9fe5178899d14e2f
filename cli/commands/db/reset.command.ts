import { defineCommand } from '../../definition.ts';
import { SQL_PATHS } from './sql-paths.ts';

/** `greenroom db reset`. */
export const dbReset = defineCommand({
  path: ['db', 'reset'],
  summary: 'Replace the database by a new one, with migrations and seeds',
  options: {
    version: { value: 'version', summary: 'Apply only the migrations up to this version' },
    last: { value: 'n', integerFrom: 0, summary: 'Apply all migrations except for the last n' },
    'no-seed': { summary: 'Skip the seeds' },
    'sql-paths': SQL_PATHS,
  },
  examples: [
    { line: 'db reset', summary: 'Begin with an empty database, migrations and seeds' },
    { line: 'db reset --last 1 --no-seed', summary: 'Leave out the last migration and the seeds' },
    { line: "db reset --sql-paths 'seeds/*.sql'", summary: 'Use other seeds' },
  ],
  async run({ options: { version, last, 'no-seed': hasNoSeed, 'sql-paths': sqlPaths }, project }) {
    return (await import('./db.ts')).resetDatabaseOf({ version, last, hasNoSeed, sqlPaths }, project);
  },
});
