import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom migration new`. */
export const migrationNew = defineCommand({
  path: ['migration', 'new'],
  summary: 'Create supabase/migrations/<time>_<name>.sql',
  description: 'The content is the standard input, if that is a pipe or a file.',
  arguments: [{ name: 'name', summary: 'Words of the name', isRequired: true, isVariadic: true }],
  options: {},
  examples: [
    { line: 'migration new create_notes', summary: 'Create an empty file' },
    { line: 'migration new create_notes < notes.sql', summary: 'Create a file with a content' },
  ],
  async run({ operands, project }) {
    printLines(await (await import('./create.ts')).createFile(operands, project));
    return 0;
  },
});
