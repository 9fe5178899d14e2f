import { defineCommand } from '../../definition.ts';

/** `greenroom db advisors`. */
export const dbAdvisors = defineCommand({
  path: ['db', 'advisors'],
  summary: 'Check the schema of the database for problems of security and performance',
  options: {
    type: {
      value: 'type',
      choices: ['all', 'security', 'performance'],
      default: 'all',
      summary: 'Kind of issues',
    },
    level: {
      value: 'level',
      choices: ['info', 'warn', 'error'],
      default: 'warn',
      summary: 'Lowest level to print',
    },
    'fail-on': {
      value: 'level',
      choices: ['none', 'info', 'warn', 'error'],
      default: 'none',
      summary: 'Lowest level that makes the exit code 1',
    },
    output: {
      short: 'o',
      value: 'format',
      choices: ['json', 'pretty'],
      default: 'json',
      summary: 'Format of the issues',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'db advisors -o pretty', summary: 'Print warnings and errors, and how to mend them' },
    { line: 'db advisors --type security --fail-on error', summary: 'Fail if data is exposed, e.g. in CI' },
  ],
  async run({ options: { type, level, 'fail-on': failOn, output: format, 'db-url': databaseUrl }, project }) {
    const { advisors } = await import('../../checks/advisors.ts');
    return advisors({ type, level, failOn, format, databaseUrl }, project);
  },
});
