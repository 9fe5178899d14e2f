import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';

/** `greenroom functions logs`. */
export const functionsLogs = defineCommand({
  path: ['functions', 'logs'],
  summary: 'Print or follow what functions have printed: time, level, function, id of the request, text',
  arguments: [{ name: 'name', summary: 'Name of a function (default: all)' }],
  options: {
    follow: { short: 'f', summary: 'Print further lines until Ctrl-C' },
    limit: { value: 'n', integerFrom: 0, summary: 'Maximum number of existing lines (default: 100)' },
    'output-format': {
      value: 'format',
      choices: ['text', 'stream-json'],
      default: 'text',
      summary: 'Format of the lines: text, or one object in each line',
    },
    ...INSTANCE_OPTIONS,
  },
  examples: [
    { line: 'functions logs hello', summary: 'Print the last lines of a function' },
    { line: 'functions logs -f', summary: 'Follow all functions' },
  ],
  async run({ operands: [name], options, project }) {
    const { follow: follows, limit = 100, 'output-format': format } = options;
    const { printFunctionLogs } = await import('../../functions/logs.ts');
    return printFunctionLogs({ name, follows, limit, format, instance: options }, project);
  },
});
