import { defineCommand } from '../definition.ts';

/** `greenroom status`. */
export const status = defineCommand({
  path: ['status'],
  summary: 'Print URLs and keys of the running or last instance',
  options: {
    output: {
      short: 'o',
      value: 'format',
      choices: ['pretty', 'env', 'json'],
      default: 'pretty',
      summary: 'Format of the output',
    },
  },
  examples: [
    { line: 'status', summary: 'Print readable lines' },
    { line: 'status -o env > .env.local', summary: 'Write an env file' },
  ],
  async run({ options: { output }, project }) {
    return (await import('./status.ts')).printStatus(output, project);
  },
});
