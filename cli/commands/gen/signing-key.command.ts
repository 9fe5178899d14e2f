import { defineCommand } from '../../definition.ts';

/** `greenroom gen signing-key`. */
export const genSigningKey = defineCommand({
  path: ['gen', 'signing-key'],
  summary: 'Generate a key that signs tokens',
  description:
    'Writes the key to the file of auth.signing_keys_path. Without that key of config.toml, prints it.',
  options: {
    algorithm: {
      value: 'algorithm',
      choices: ['ES256', 'RS256'],
      default: 'ES256',
      summary: 'Algorithm of the key',
    },
    append: { summary: 'Keep the keys of the file: the new one verifies tokens, and does not sign yet' },
  },
  examples: [
    { line: 'gen signing-key', summary: 'Generate a key for ES256' },
    { line: 'gen signing-key --algorithm RS256 --append', summary: 'Add a key before it replaces the first' },
  ],
  async run({ options: { algorithm, append }, project, isConfirmed }) {
    const { generateSigningKey } = await import('./signing-key.ts');
    return generateSigningKey({ algorithm, isAppended: append, isConfirmed }, project);
  },
});
