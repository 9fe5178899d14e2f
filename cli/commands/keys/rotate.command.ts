import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom keys rotate`. */
export const keysRotate = defineCommand({
  path: ['keys', 'rotate'],
  summary: 'Create a standby key; the next call signs with it',
  options: { now: { summary: 'Sign with the new key at once' } },
  examples: [{ line: 'keys rotate', summary: 'Create a standby key, or sign with the published one' }],
  async run({ options: { now: immediately }, project }) {
    const { readConfig } = await import('../../settings.ts');
    const { rotateKeys } = await import('@greenroom/server/signing-keys');
    printLines(await rotateKeys(await readConfig(project), { immediately }));
    return 0;
  },
});
