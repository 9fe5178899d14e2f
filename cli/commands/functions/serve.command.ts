import { defineCommand } from '../../definition.ts';

/** `greenroom functions serve`. */
export const functionsServe = defineCommand({
  path: ['functions', 'serve'],
  summary: 'Serve functions of the project with other settings, and print what they print, until Ctrl-C',
  description: 'The instance of the project must run, e.g. by greenroom start.',
  arguments: [{ name: 'name', summary: 'Name of a function (default: all)' }],
  options: {
    'verify-jwt': {
      isNegatable: true,
      summary: 'Whether requests need a token or key of the project (default: as config.toml says)',
    },
    'env-file': { value: 'file', summary: 'File with variables, which have priority over all secrets' },
    'import-map': { value: 'file', summary: 'Import map or deno.json of the functions' },
    inspect: { summary: 'Start the named function with an inspector; same as --inspect-mode run' },
    'inspect-mode': {
      value: 'mode',
      choices: ['run', 'brk', 'wait'],
      summary:
        'When the inspected function runs: at once, until its first line, or after a debugger connects',
    },
  },
  examples: [
    { line: 'functions serve hello --no-verify-jwt', summary: 'Call a function without a key' },
    { line: 'functions serve hello --inspect-mode brk', summary: 'Debug a function from its first line' },
  ],
  async run({ operands: [name], options, project }) {
    const { 'verify-jwt': verifiesJwt, 'env-file': envFile, 'import-map': importMap } = options;
    const inspect = options['inspect-mode'] ?? (options.inspect ? 'run' : undefined);
    const { serveFunctions } = await import('../../functions/serve.ts');
    return serveFunctions({ name, verifiesJwt, envFile, importMap, inspect }, project);
  },
});
