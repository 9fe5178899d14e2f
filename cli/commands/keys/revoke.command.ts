import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom keys revoke`. */
export const keysRevoke = defineCommand({
  path: ['keys', 'revoke'],
  summary: 'Reject tokens that are signed with a key',
  arguments: [
    {
      name: 'kid',
      summary: 'Id of the key',
      isRequired: true,
      missing: 'keys revoke requires the id of a key. Run "greenroom keys" to list them.',
    },
  ],
  options: {},
  examples: [{ line: 'keys revoke 3fc1a0d2b94e8f57', summary: 'Revoke the key with this id' }],
  async run({ operands: [kid = ''], project }) {
    const { readConfig } = await import('../../settings.ts');
    printLines(
      await (await import('@greenroom/server/signing-keys')).revokeKeyOf(await readConfig(project), kid),
    );
    return 0;
  },
});
