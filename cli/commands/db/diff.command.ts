import { defineCommand } from '../../definition.ts';

/** `greenroom db diff`. */
export const dbDiff = defineCommand({
  path: ['db', 'diff'],
  summary: 'Print the difference of two schemas as SQL, or write it as a migration',
  description:
    'By default from the migrations to the database of the instance, or to the files of db.migrations.schema_paths.',
  options: {
    file: { value: 'name', short: 'f', summary: 'Write a migration instead of printing SQL' },
    output: { value: 'path', short: 'o', summary: 'Write the SQL to this file' },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Only these schemas, separated by commas',
    },
    from: { value: 'schema', summary: 'migrations, local or a connection URL' },
    to: { value: 'schema', summary: 'migrations, local or a connection URL' },
    'db-url': { value: 'url', summary: 'Same as --to with a connection URL' },
    'strict-coverage': { summary: 'Fail if objects differ that cannot be compared, instead of warning' },
    'use-pg-delta': { summary: 'Compare by pg-delta, which is the default' },
    'use-migra': { summary: 'Refused: there is only pg-delta' },
    'use-pgadmin': { summary: 'Refused: there is only pg-delta' },
  },
  examples: [
    { line: 'db diff', summary: 'Print the changes that no migration contains' },
    { line: 'db diff -f add_notes', summary: 'Write them as a migration' },
  ],
  async run({ options, project }) {
    return (await import('./diff.ts')).diff(options, project);
  },
});
