import { defineCommand } from '../definition.ts';

/** `greenroom list`. */
export const list = defineCommand({
  path: ['list'],
  summary: 'List the running instances of this user',
  options: {
    output: {
      short: 'o',
      value: 'format',
      choices: ['pretty', 'json'],
      default: 'pretty',
      summary: 'Format of the output',
    },
  },
  examples: [
    { line: 'list', summary: 'Print a table' },
    { line: 'list -o json', summary: 'Print an array of objects' },
  ],
  async run({ options: { output } }) {
    return (await import('./list.ts')).listInstances(output);
  },
});
