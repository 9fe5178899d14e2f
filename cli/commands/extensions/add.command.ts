import { defineCommand } from '../../definition.ts';

/** `greenroom extensions add`. */
export const extensionsAdd = defineCommand({
  path: ['extensions', 'add'],
  summary: 'Add the files of extensions',
  arguments: [
    {
      name: 'source',
      summary: 'A folder, a control file, a .deb file, or the name of a package that apt knows',
      isRequired: true,
      isVariadic: true,
    },
  ],
  options: {},
  examples: [
    { line: 'extensions add postgresql-18-pgvector', summary: 'Add a package of Debian' },
    { line: 'extensions add ./my_extension', summary: 'Add the files of a folder' },
  ],
  async run({ operands: sources, project }) {
    const { add, withPlaces } = await import('./extensions.ts');
    return withPlaces(project, (places) => add(places, sources));
  },
});
