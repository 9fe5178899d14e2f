import { defineCommand } from '../../definition.ts';

/** `greenroom backup keygen`. */
export const backupKeygen = defineCommand({
  path: ['backup', 'keygen'],
  summary: 'Create a key pair for archives',
  description:
    'The recipient encrypts, so that a server can write backups that it cannot read. Keep the identity on another machine.',
  options: {},
  examples: [{ line: 'backup keygen', summary: 'Print a recipient and its identity' }],
  async run() {
    const { generateIdentity } = await import('@greenroom/backup');
    const { printLines } = await import('../../print-lines.ts');
    const { identity, recipient } = generateIdentity();
    printLines([`recipient ${recipient}`, `identity  ${identity}`]);
    return 0;
  },
});
