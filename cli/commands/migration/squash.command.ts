import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration squash`. */
export const migrationSquash = defineCommand({
  path: ['migration', 'squash'],
  summary: 'Join the migrations up to a version to one file',
  options: {
    version: { value: 'version', summary: 'Last version to join (default: that of the last file)' },
  },
  examples: [
    { line: 'migration squash', summary: 'Join all migrations' },
    { line: 'migration squash --version 20240101000000', summary: 'Join those up to a version' },
  ],
  async run({ options: { version }, project }) {
    printLines(await (await import('./squash.ts')).squash({ version }, project));
    return 0;
  },
});
