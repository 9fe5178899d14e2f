import { defineCommand } from '../../definition.ts';

/** `greenroom config`. */
export const config = defineCommand({
  path: ['config'],
  summary: 'Print all settings and where they come from (config diff: only differences)',
  options: {},
  examples: [{ line: 'config', summary: 'Print all settings of the project in the current folder' }],
  async run({ project }) {
    return (await import('./config.ts')).printSettings(false, project);
  },
});
