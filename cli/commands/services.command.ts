import { defineCommand } from '../definition.ts';
import { FORMAT_OPTION } from '../format-option.ts';

/** `greenroom services`. */
export const services = defineCommand({
  path: ['services'],
  summary: 'Print the versions of Greenroom, Node.js, PostgreSQL and the schemas of the services',
  options: {
    output: FORMAT_OPTION,
  },
  examples: [{ line: 'services', summary: 'Print a table' }],
  async run({ options: { output } }) {
    return (await import('./services.ts')).printVersions(output);
  },
});
