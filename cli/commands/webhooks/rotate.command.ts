import { defineCommand } from '../../definition.ts';

/** `greenroom webhooks rotate`. */
export const webhooksRotate = defineCommand({
  path: ['webhooks', 'rotate'],
  summary: 'Create a new secret that signs database webhooks',
  description: 'Until the overlap ends, each request has a signature of the former secret too.',
  options: {
    overlap: { value: 'duration', default: '24h', summary: 'Time for which the former secret signs' },
  },
  examples: [{ line: 'webhooks rotate', summary: 'Create a secret, and sign with both for a day' }],
  async run({ options: { overlap }, project }) {
    const { durationOption } = await import('../../duration-option.ts');
    const { printLines } = await import('../../print-lines.ts');
    const { readConfig } = await import('../../settings.ts');
    const { rotateWebhookSecretOf } = await import('@greenroom/server/signing-keys');
    const overlapMs = durationOption('--overlap', overlap);
    printLines(await rotateWebhookSecretOf(await readConfig(project), overlapMs));
    return 0;
  },
});
