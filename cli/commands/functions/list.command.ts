import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions list`. */
export const functionsList = defineCommand({
  path: ['functions', 'list'],
  summary: 'List the functions of the project',
  options: {
    output: {
      short: 'o',
      value: 'format',
      choices: ['pretty', 'json'],
      default: 'pretty',
      summary: 'Format',
    },
  },
  examples: [{ line: 'functions list', summary: 'List names, access and files' }],
  async run({ options, project }) {
    printLines(await (await import('./functions.ts')).listFunctions(options.output, project));
    return 0;
  },
});
