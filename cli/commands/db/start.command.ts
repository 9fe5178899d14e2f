import { defineCommand } from '../../definition.ts';

/** `greenroom db start`. */
export const dbStart = defineCommand({
  path: ['db', 'start'],
  summary: 'Create the database from a backup',
  description:
    'The backup is SQL of pg_dump or pg_dumpall, also compressed by gzip. If a statement fails, nothing is kept.',
  options: {
    'from-backup': { value: 'file', summary: 'Path of the backup' },
  },
  examples: [{ line: 'db start --from-backup backup.sql', summary: 'Create a new database from a backup' }],
  async run({ options: { 'from-backup': file }, project }) {
    return (await import('./start.ts')).startFromBackup(file, project);
  },
});
