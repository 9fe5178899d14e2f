import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration up`. */
export const migrationUp = defineCommand({
  path: ['migration', 'up'],
  summary: 'Apply new migrations',
  options: { 'include-all': { summary: 'Apply also those before an applied one' } },
  examples: [
    { line: 'migration up', summary: 'Apply the files that are later than the last applied one' },
    { line: 'migration up --include-all', summary: 'Apply all files that are not applied' },
  ],
  async run({ options: { 'include-all': includesEarlier }, project }) {
    printLines(await (await import('./up.ts')).up({ includesEarlier }, project));
    return 0;
  },
});
