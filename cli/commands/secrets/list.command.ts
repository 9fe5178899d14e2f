import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom secrets list`. */
export const secretsList = defineCommand({
  path: ['secrets', 'list'],
  summary: 'List the names of secrets, with the SHA-256 of their values',
  options: {
    output: FORMAT_OPTION,
    ...INSTANCE_OPTIONS,
  },
  examples: [{ line: 'secrets list', summary: 'List the secrets of the instance on this machine' }],
  async run({ options, project }) {
    const { listSecrets } = await import('../../functions/secrets.ts');
    printLines(await listSecrets({ format: options.output, instance: options }, project));
    return 0;
  },
});
