import { defineCommand } from '../../definition.ts';

/** `greenroom config diff`. */
export const configDiff = defineCommand({
  path: ['config', 'diff'],
  summary: 'Print the settings that differ from their defaults, or from those of the running instance',
  options: {},
  examples: [{ line: 'config diff', summary: 'Print what the project changes' }],
  async run({ project }) {
    return (await import('./config.ts')).printSettings(true, project);
  },
});
