import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions delete`. */
export const functionsDelete = defineCommand({
  path: ['functions', 'delete'],
  summary: 'Delete a deployed function with all versions',
  description:
    'The files of the project stay. If its folder has the function, the instance serves that again.',
  arguments: [{ name: 'name', summary: 'Name of the function', isRequired: true }],
  options: INSTANCE_OPTIONS,
  examples: [{ line: 'functions delete hello', summary: 'Delete one from the instance on this machine' }],
  async run({ operands: [name = ''], options, project }) {
    const { deleteFunction } = await import('../../functions/change.ts');
    printLines([await deleteFunction(name, options, project)]);
    return 0;
  },
});
