import { defineCommand } from '../../definition.ts';
import { SQL_PATHS } from './sql-paths.ts';

/** `greenroom db seed`. */
export const dbSeed = defineCommand({
  path: ['db', 'seed'],
  summary: 'Run the seeds of a project in its existing database',
  options: { 'sql-paths': SQL_PATHS },
  examples: [{ line: 'db seed', summary: 'Run the files of db.seed.sql_paths' }],
  async run({ options: { 'sql-paths': sqlPaths }, project }) {
    return (await import('./db.ts')).seedDatabase(sqlPaths, project);
  },
});
