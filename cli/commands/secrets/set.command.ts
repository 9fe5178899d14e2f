import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom secrets set`. */
export const secretsSet = defineCommand({
  path: ['secrets', 'set'],
  summary: 'Set secrets of functions, which become variables of their environment',
  description:
    'They are stored encrypted in the database of the instance, and reach running functions at once.',
  arguments: [{ name: 'assignment', summary: 'NAME=value', isVariadic: true }],
  options: {
    'env-file': { value: 'file', summary: 'File with a line NAME=value for each secret' },
    ...INSTANCE_OPTIONS,
  },
  examples: [
    { line: 'secrets set STRIPE_KEY=sk_test_1 MAIL_FROM=a@example.org', summary: 'Set two secrets' },
    { line: 'secrets set --env-file .env.production', summary: 'Set the secrets of a file' },
  ],
  async run({ operands: assignments, options, project }) {
    const { setSecrets } = await import('../../functions/secrets.ts');
    printLines(await setSecrets({ assignments, envFile: options['env-file'], instance: options }, project));
    return 0;
  },
});
