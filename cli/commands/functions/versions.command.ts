import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions versions`. */
export const functionsVersions = defineCommand({
  path: ['functions', 'versions'],
  summary: 'List the versions of a deployed function',
  arguments: [{ name: 'name', summary: 'Name of the function', isRequired: true }],
  options: {
    output: FORMAT_OPTION,
    ...INSTANCE_OPTIONS,
  },
  examples: [{ line: 'functions versions hello', summary: 'List the versions, newest first' }],
  async run({ operands: [name = ''], options, project }) {
    const { listVersions } = await import('../../functions/list.ts');
    printLines(await listVersions(name, { format: options.output, instance: options }, project));
    return 0;
  },
});
