import { defineCommand } from '../../definition.ts';

/** `greenroom db lint`. */
export const dbLint = defineCommand({
  path: ['db', 'lint'],
  summary: 'Check the PL/pgSQL functions of the database',
  description:
    'Requires the extension plpgsql_check, which the command creates only for the time of the check.',
  options: {
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Only these schemas, separated by commas (default: all of the project)',
    },
    level: {
      value: 'level',
      choices: ['warning', 'error'],
      default: 'warning',
      summary: 'Lowest level to print',
    },
    'fail-on': {
      value: 'level',
      choices: ['none', 'warning', 'error'],
      default: 'none',
      summary: 'Lowest level that makes the exit code 1',
    },
    output: {
      short: 'o',
      value: 'format',
      choices: ['json', 'pretty'],
      default: 'json',
      summary: 'Format of the problems',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'db lint -o pretty', summary: 'Print the problems of all functions, one after the other' },
    { line: 'db lint --level error --fail-on error', summary: 'Fail if a function has an error, e.g. in CI' },
  ],
  async run({
    options: { schema, level, 'fail-on': failOn, output: format, 'db-url': databaseUrl },
    project,
  }) {
    const { lint } = await import('../../checks/lint.ts');
    return lint({ schema, level, failOn, format, databaseUrl }, project);
  },
});
