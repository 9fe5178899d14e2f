import { defineCommand } from '../../definition.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions new`. */
export const functionsNew = defineCommand({
  path: ['functions', 'new'],
  summary: 'Create supabase/functions/<name>/index.ts',
  description: 'A running instance serves the function at once.',
  arguments: [{ name: 'name', summary: 'Name of the function', isRequired: true }],
  options: {
    auth: {
      value: 'access',
      choices: ['none', 'apikey', 'user'],
      default: 'apikey',
      summary: 'Who may call it: everyone, holders of a key of the project, or signed-in users',
    },
  },
  examples: [
    { line: 'functions new hello', summary: 'Create a function' },
    { line: 'functions new webhook --auth none', summary: 'Create a function that checks no key' },
  ],
  async run({ operands, options, project }) {
    const { createNew } = await import('./functions.ts');
    printLines(await createNew(operands[0] ?? '', options.auth, project));
    return 0;
  },
});
