import { defineCommand } from '../definition.ts';

/**
 * `greenroom dev`: follows the files of the project, and serves the app from its sources if the project belongs to them.
 */
export const dev = defineCommand({
  path: ['dev'],
  summary: 'Start everything, apply new migrations and reload settings when their files change',
  isServer: true,
  options: {
    types: {
      value: 'file',
      summary: 'Keep the TypeScript types of the database in this file up to date',
    },
  },
  examples: [
    { line: 'dev', summary: 'Develop the project of the current folder' },
    { line: 'dev --types src/database.types.ts', summary: 'Keep its types up to date, too' },
  ],
  async run({ options: { types: typesFile }, project }) {
    if (typesFile !== undefined && !/\.[cm]?ts$/.test(typesFile)) {
      throw new Error(
        `--types=${JSON.stringify(typesFile)} is not allowed. Allowed: the path of a TypeScript file. Other languages: greenroom gen types --watch`,
      );
    }
    return (await import('../serve-instance.ts')).serveInstance('dev', project, { typesFile });
  },
});
