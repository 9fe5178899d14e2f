import { defineCommand } from '../definition.ts';

/** `greenroom logs`. */
export const logs = defineCommand({
  path: ['logs'],
  summary: 'Print or follow the log of an instance in the background',
  description: 'The log is greenroom.log in the data folder, which start --detach writes.',
  options: {
    limit: { value: 'n', integerFrom: 0, summary: 'Maximum number of existing lines (default: 100)' },
    tail: { value: 'n', integerFrom: 0, summary: 'Same as --limit' },
    service: {
      value: 'name',
      isRepeatable: true,
      summary:
        'Only lines of auth, rest, realtime, storage, functions, meta, operator, app, postgres or greenroom',
    },
    level: {
      value: 'name',
      isRepeatable: true,
      summary: 'Only lines of the level fatal, error, warn, info, debug or trace',
    },
    since: {
      value: 'time',
      summary: 'Only lines since a time, or a duration ago such as 10m',
    },
    follow: {
      short: 'f',
      summary: 'Print further lines until Ctrl-C',
    },
    'output-format': {
      value: 'format',
      choices: ['text', 'json', 'stream-json'],
      default: 'text',
      summary: 'Format of the lines: text, an array, or one object in each line',
    },
  },
  examples: [
    { line: 'logs -f', summary: 'Print the last 100 lines, and then new ones' },
    { line: 'logs --level error --since 1h', summary: 'Print the errors of the last hour' },
    { line: 'logs --service postgres --output-format json', summary: 'Print an array of objects' },
  ],
  async run({ options, project }) {
    const { limit, tail, service: services, level: levels, since } = options;
    const { follow: follows, 'output-format': format } = options;
    if (limit !== undefined && tail !== undefined) throw new Error('use either --limit or --tail.');
    const { printLogs } = await import('../logs/print-logs.ts');
    return printLogs({ format, limit: limit ?? tail ?? 100, services, levels, since, follows }, project);
  },
});
