import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom keys list`. */
export const keysList = defineCommand({
  path: ['keys', 'list'],
  summary: 'List the keys (default)',
  isDefault: true,
  options: {},
  examples: [{ line: 'keys', summary: 'Print id, algorithm and state of each key' }],
  async run({ project }) {
    const { readConfig } = await import('../../settings.ts');
    printLines(await (await import('@greenroom/server/signing-keys')).listKeys(await readConfig(project)));
    return 0;
  },
});
