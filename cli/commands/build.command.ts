import { defineCommand } from '../definition.ts';

/** `greenroom build`. */
export const build = defineCommand({
  path: ['build'],
  summary: 'Build what starts use: the pages, the program and the database template',
  options: {},
  examples: [{ line: 'build', summary: 'Build what has changed' }],
  async run({ project }) {
    return (await import('./build.ts')).buildAll(project);
  },
});
