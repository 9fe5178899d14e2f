import { defineCommand } from '../../definition.ts';

/** `greenroom db dump`. */
export const dbDump = defineCommand({
  path: ['db', 'dump'],
  summary: 'Print schemas, rows or roles of the database as SQL',
  options: {
    'data-only': { summary: 'Rows as INSERT statements' },
    'role-only': { summary: 'Roles, without passwords' },
    'keep-comments': { summary: 'Keep the comments of pg_dump' },
    exclude: {
      value: 'tables',
      short: 'x',
      isRepeatable: true,
      summary: 'Rows without these tables, e.g. public.log, separated by commas',
    },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Schemas separated by commas (default: all except for those of the platform)',
    },
    file: { value: 'path', short: 'f', summary: 'Write the file instead of printing' },
    'dry-run': { summary: 'Print what would be run' },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'db dump -f schema.sql', summary: 'Write the schema of the project' },
    { line: 'db dump --data-only -x public.log -f data.sql', summary: 'Write its rows, without a table' },
  ],
  async run({ options, project }) {
    const { dump } = await import('../../dump/dump.ts');
    return dump(options, project);
  },
});
