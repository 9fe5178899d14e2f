import { defineCommand } from '../../definition.ts';

/** `greenroom db pull`. */
export const dbPull = defineCommand({
  path: ['db', 'pull'],
  summary: 'Write the schema of another database as a migration',
  arguments: [{ name: 'name', summary: 'Name of the migration (default: remote_schema)' }],
  options: {
    'db-url': { value: 'url', summary: 'The database, as postgresql://user:password@host:port/database' },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Only these schemas, separated by commas',
    },
    declarative: { summary: 'Write the files of the declared schema instead' },
    'diff-engine': {
      value: 'name',
      choices: ['pg-delta'],
      default: 'pg-delta',
      summary: 'Library that compares schemas',
    },
  },
  examples: [
    {
      line: 'db pull --db-url postgresql://postgres:secret@db.example.com:5432/postgres',
      summary: 'Write its changes, and record them there after a question',
    },
  ],
  async run({ options: { 'db-url': databaseUrl, schema, declarative }, operands, project, isConfirmed }) {
    const { pull } = await import('./pull.ts');
    return pull({ name: operands[0], databaseUrl, schema, isDeclarative: declarative, isConfirmed }, project);
  },
});
