import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration down`. */
export const migrationDown = defineCommand({
  path: ['migration', 'down'],
  summary: 'Reset the database to the version before the last migrations',
  options: {
    last: { value: 'n', integerFrom: 1, default: '1', summary: 'Number of migrations to revert' },
  },
  examples: [
    { line: 'migration down', summary: 'Revert the last migration, after a confirmation' },
    { line: 'migration down --last 2 --yes', summary: 'Revert two migrations without a question' },
  ],
  async run({ options: { last }, project, isConfirmed }) {
    printLines(await (await import('./down.ts')).down({ last, isConfirmed }, project));
    return 0;
  },
});
