import { defineCommand } from '../../definition.ts';

/** `greenroom extensions remove`. */
export const extensionsRemove = defineCommand({
  path: ['extensions', 'remove'],
  summary: 'Remove the files of an added extension',
  arguments: [{ name: 'name', summary: 'Name of the extension', isRequired: true }],
  options: {},
  examples: [{ line: 'extensions remove vector', summary: 'Remove the files of pgvector' }],
  async run({ operands: [name = ''], project }) {
    const { remove, withPlaces } = await import('./extensions.ts');
    return withPlaces(project, (places) => remove(places, name));
  },
});
