import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';

/** `greenroom webhooks list`. */
export const webhooksList = defineCommand({
  path: ['webhooks', 'list'],
  summary: 'List the database webhooks that have not succeeded, newest first',
  isDefault: true,
  options: {
    failed: { summary: 'Only those without a further attempt' },
    output: { ...FORMAT_OPTION, summary: 'Format of the output; json has the payloads too' },
  },
  examples: [{ line: 'webhooks list --failed', summary: 'Print failed webhooks with their last errors' }],
  async run({ options: { failed: isFailedOnly, output: format }, project }) {
    return (await import('./webhooks.ts')).listWebhooks({ isFailedOnly, format }, project);
  },
});
