import { defineCommand } from '../definition.ts';

/** `greenroom stop`. */
export const stop = defineCommand({
  path: ['stop'],
  summary: 'Stop the instance of a project or data folder',
  options: { all: { summary: 'Stop all running instances of this user' } },
  examples: [
    { line: 'stop', summary: 'Stop the instance of the current folder' },
    { line: 'stop --all', summary: 'Stop all instances of this user' },
  ],
  async run({ options: { all }, project }) {
    return (await import('./stop.ts')).stopInstances({ all }, project);
  },
});
