import { defineCommand } from '../../definition.ts';

/** `greenroom db push`. */
export const dbPush = defineCommand({
  path: ['db', 'push'],
  summary: 'Apply the migrations to another database',
  options: {
    'db-url': { value: 'url', summary: 'The database, as postgresql://user:password@host:port/database' },
    'dry-run': { summary: 'Only list what would be applied' },
    'include-all': { summary: 'Also push migrations before an applied one' },
    'include-roles': { summary: 'Run supabase/roles.sql first' },
    'include-seed': { summary: 'Run the seeds that have not run there yet' },
    'skip-vault': { summary: 'Do not store the secrets of db.vault' },
  },
  examples: [
    {
      line: 'db push --db-url postgresql://postgres:secret@db.example.com:5432/postgres --dry-run',
      summary: 'List the migrations that are new there',
    },
  ],
  async run({ options, project, isConfirmed }) {
    const { push } = await import('./push.ts');
    return push(
      {
        databaseUrl: options['db-url'],
        isDryRun: options['dry-run'],
        includesEarlier: options['include-all'],
        includesRoles: options['include-roles'],
        includesSeed: options['include-seed'],
        skipsVault: options['skip-vault'],
        isConfirmed,
      },
      project,
    );
  },
});
