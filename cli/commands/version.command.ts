import { defineCommand } from '../definition.ts';

/** `greenroom version`, also `--version` and `-v`. */
export const version = defineCommand({
  path: ['version'],
  summary: 'Print the version',
  options: {},
  examples: [{ line: 'version', summary: 'Print the version of Greenroom' }],
  async run() {
    const { VERSION } = await import('@greenroom/server/version');
    process.stdout.write(`greenroom ${VERSION}\n`);
    return 0;
  },
});
