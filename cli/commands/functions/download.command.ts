import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions download`. */
export const functionsDownload = defineCommand({
  path: ['functions', 'download'],
  summary: 'Write the files of a deployed function into supabase/functions',
  arguments: [{ name: 'name', summary: 'Name of the function', isRequired: true }],
  options: {
    version: { value: 'n', integerFrom: 1, summary: 'Version (default: the one that is served)' },
    force: { summary: 'Replace existing files, and write files outside of supabase/' },
    ...INSTANCE_OPTIONS,
  },
  examples: [
    { line: 'functions download hello', summary: 'Write the files of the served version' },
    {
      line: 'functions download hello --version 2 --force',
      summary: 'Replace the files by those of version 2',
    },
  ],
  async run({ operands: [name = ''], options, project }) {
    const { version, force: isForced } = options;
    const { downloadFunction } = await import('../../functions/download.ts');
    printLines(await downloadFunction({ name, version, isForced, instance: options }, project));
    return 0;
  },
});
