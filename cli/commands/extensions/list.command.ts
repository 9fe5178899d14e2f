import { defineCommand } from '../../definition.ts';

/** `greenroom extensions list`. */
export const extensionsList = defineCommand({
  path: ['extensions', 'list'],
  summary: 'List the extensions and where their files come from (default)',
  isDefault: true,
  options: {},
  examples: [{ line: 'extensions', summary: 'Print name, version and source of each extension' }],
  async run({ project }) {
    const { list, withPlaces } = await import('./extensions.ts');
    return withPlaces(project, list);
  },
});
