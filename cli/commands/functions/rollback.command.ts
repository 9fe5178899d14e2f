import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';
import { printLines } from '../../print-lines.ts';

/** `greenroom functions rollback`. */
export const functionsRollback = defineCommand({
  path: ['functions', 'rollback'],
  summary: 'Serve a former version of a deployed function',
  arguments: [{ name: 'name', summary: 'Name of the function', isRequired: true }],
  options: {
    to: { value: 'version', integerFrom: 1, summary: 'Version to serve (default: the one before)' },
    ...INSTANCE_OPTIONS,
  },
  examples: [
    { line: 'functions rollback hello', summary: 'Return to the version before' },
    { line: 'functions rollback hello --to 3', summary: 'Serve version 3' },
  ],
  async run({ operands: [name = ''], options, project }) {
    const { rollBackFunction } = await import('../../functions/change.ts');
    printLines([await rollBackFunction(name, { to: options.to, instance: options }, project)]);
    return 0;
  },
});
