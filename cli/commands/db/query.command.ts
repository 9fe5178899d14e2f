import { defineCommand } from '../../definition.ts';

/** `greenroom db query`. */
export const dbQuery = defineCommand({
  path: ['db', 'query'],
  summary: 'Run SQL on the database of the instance, and print the results',
  description: 'The statements are one transaction: if one fails, nothing is kept.',
  arguments: [{ name: 'sql', summary: 'One or more statements (default: the file, or the standard input)' }],
  options: {
    file: { short: 'f', value: 'path', summary: 'File with the statements' },
    'read-only': { summary: 'Refuse statements that write' },
    output: {
      short: 'o',
      value: 'format',
      choices: ['table', 'json', 'csv'],
      default: 'table',
      summary: 'Format of the results',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: `db query "select count(*) from auth.users"`, summary: 'Print a table as psql does' },
    { line: 'db query -f report.sql -o csv --read-only', summary: 'Run a file that changes nothing' },
  ],
  async run({
    options: { file, 'read-only': isReadOnly, output: format, 'db-url': databaseUrl },
    operands,
    project,
  }) {
    const { runQuery } = await import('../../query/run-query.ts');
    return runQuery({ sql: operands[0], file, isReadOnly, format, databaseUrl }, project);
  },
});
