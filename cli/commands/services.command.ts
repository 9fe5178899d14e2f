import { defineCommand } from '../definition.ts';

/** `greenroom services`. */
export const services = defineCommand({
  path: ['services'],
  summary: 'Print the versions of Greenroom, Node.js, PostgreSQL and the schemas of the services',
  options: {
    output: {
      short: 'o',
      value: 'format',
      choices: ['pretty', 'json'],
      default: 'pretty',
      summary: 'Format of the output',
    },
  },
  examples: [{ line: 'services', summary: 'Print a table' }],
  async run({ options: { output } }) {
    return (await import('./services.ts')).printVersions(output);
  },
});
