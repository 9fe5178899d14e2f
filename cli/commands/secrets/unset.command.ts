import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom secrets unset`. */
export const secretsUnset = defineCommand({
  path: ['secrets', 'unset'],
  summary: 'Remove secrets of functions',
  arguments: [{ name: 'name', summary: 'Names of secrets', isRequired: true, isVariadic: true }],
  options: INSTANCE_OPTIONS,
  examples: [{ line: 'secrets unset STRIPE_KEY', summary: 'Remove one secret' }],
  async run({ operands: names, options, project }) {
    const { unsetSecrets } = await import('../../functions/secrets.ts');
    printLines(await unsetSecrets(names, options, project));
    return 0;
  },
});
