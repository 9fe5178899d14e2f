import { defineCommand } from '../definition.ts';

/** `greenroom status`. */
export const status = defineCommand({
  path: ['status'],
  summary: 'Print URLs and keys of the running or last instance',
  options: {
    output: {
      short: 'o',
      value: 'format',
      choices: ['pretty', 'env', 'json', 'yaml', 'toml'],
      default: 'pretty',
      summary: 'Format of the output',
    },
    'override-name': {
      value: 'key=name',
      isRepeatable: true,
      summary: 'Print a value under another name, e.g. api.url=NEXT_PUBLIC_SUPABASE_URL',
    },
  },
  examples: [
    { line: 'status', summary: 'Print readable lines' },
    { line: 'status -o env > .env.local', summary: 'Write an env file' },
    {
      line: 'status -o env --override-name api.url=NEXT_PUBLIC_SUPABASE_URL',
      summary: 'Use the name of a variable that an app reads',
    },
  ],
  async run({ options: { output: format, 'override-name': names }, project }) {
    return (await import('./status.ts')).printStatus({ format, names }, project);
  },
});
