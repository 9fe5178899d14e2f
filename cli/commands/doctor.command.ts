import { defineCommand } from '../definition.ts';
import { FORMAT_OPTION } from '../format-option.ts';

/** `greenroom doctor`. */
export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'Check machine, settings, data folder, ports, keys and servers, and say how to mend each finding',
  description: 'Changes nothing. The exit code is 1 if there is a finding.',
  options: {
    output: FORMAT_OPTION,
  },
  examples: [
    { line: 'doctor', summary: 'Check the project of the current folder' },
    { line: 'doctor -o json', summary: 'Print an array of objects for monitoring' },
  ],
  async run({ options: { output }, project }) {
    return (await import('./doctor.ts')).printFindings(output, project);
  },
});
