import { defineCommand } from '../../definition.ts';

/** `greenroom webhooks replay`. */
export const webhooksReplay = defineCommand({
  path: ['webhooks', 'replay'],
  summary: 'Send failed database webhooks again',
  arguments: [{ name: 'id', summary: 'Ids of failed webhooks', isVariadic: true }],
  options: { all: { summary: 'All failed webhooks' } },
  examples: [
    { line: 'webhooks replay 2f0ed6e5-6ff2-4ed6-a2a5-7cf6b0f7a0c2', summary: 'Send one again' },
    { line: 'webhooks replay --all', summary: 'Send all again' },
  ],
  async run({ options: { all: isAll }, operands: ids, project }) {
    return (await import('./webhooks.ts')).replayWebhooks({ ids, isAll }, project);
  },
});
