import { defineCommand } from '../definition.ts';
import { FORMAT_OPTION } from '../format-option.ts';

/** `greenroom list`. */
export const list = defineCommand({
  path: ['list'],
  summary: 'List the running instances of this user',
  options: {
    output: FORMAT_OPTION,
  },
  examples: [
    { line: 'list', summary: 'Print a table' },
    { line: 'list -o json', summary: 'Print an array of objects' },
  ],
  async run({ options: { output } }) {
    return (await import('./list.ts')).listInstances(output);
  },
});
