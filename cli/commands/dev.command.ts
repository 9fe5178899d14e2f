import { defineCommand } from '../definition.ts';

/**
 * `greenroom dev`: follows the files of the project, and serves the app from its sources if the project belongs to them.
 */
export const dev = defineCommand({
  path: ['dev'],
  summary: 'Start everything, apply new migrations and reload settings when their files change',
  isServer: true,
  options: {},
  examples: [{ line: 'dev', summary: 'Develop the project of the current folder' }],
  async run({ project }) {
    return (await import('../serve-instance.ts')).serveInstance('dev', project);
  },
});
