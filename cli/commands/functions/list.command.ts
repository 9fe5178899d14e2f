import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions list`. */
export const functionsList = defineCommand({
  path: ['functions', 'list'],
  summary: 'List the functions of the project, and those deployed into its running instance',
  description: 'With --url, those of another instance.',
  options: {
    output: FORMAT_OPTION,
    ...INSTANCE_OPTIONS,
  },
  examples: [{ line: 'functions list', summary: 'List names, sources, versions, access and files' }],
  async run({ options, project }) {
    const { listFunctions } = await import('../../functions/list.ts');
    printLines(await listFunctions({ format: options.output, instance: options }, project));
    return 0;
  },
});
