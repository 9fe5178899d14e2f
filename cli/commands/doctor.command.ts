import { defineCommand } from '../definition.ts';
import { FORMAT_OPTION } from '../format-option.ts';

/** `greenroom doctor`. */
export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'Check machine, settings, data folder, ports, keys and servers, and say how to mend each finding',
  description: 'Changes nothing. The exit code is 1 if there is a finding.',
  options: {
    output: FORMAT_OPTION,
    production: {
      summary: 'Also check what an instance needs that users of the internet reach',
    },
  },
  examples: [
    { line: 'doctor', summary: 'Check the project of the current folder' },
    { line: 'doctor -o json', summary: 'Print an array of objects for monitoring' },
    { line: 'doctor --production', summary: 'Check an instance before users reach it' },
  ],
  async run({ options: { output, production }, project }) {
    const options = { format: output, isProduction: production };
    return (await import('./doctor.ts')).printFindings(options, project);
  },
});
