import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom test new`. */
export const testNew = defineCommand({
  path: ['test', 'new'],
  summary: 'Create supabase/tests/<name>_test.sql',
  arguments: [{ name: 'name', summary: 'Name of the test', isRequired: true }],
  options: {
    template: {
      short: 't',
      value: 'name',
      choices: ['pgtap'],
      default: 'pgtap',
      summary: 'Library of the test',
    },
  },
  examples: [{ line: 'test new notes', summary: 'Create supabase/tests/notes_test.sql' }],
  async run({ operands: [name = ''], project }) {
    printLines(await (await import('./new-test.ts')).createTest(name, project));
    return 0;
  },
});
