import { defineCommand } from '../../definition.ts';
import { SERVICE_OPTIONS } from './options.ts';

/** `greenroom service install`. */
export const serviceInstall = defineCommand({
  path: ['service', 'install'],
  summary: 'Write, enable and start a systemd unit for the project',
  description: 'Needs root. The service runs as another user, and writes only to the data folder.',
  options: {
    ...SERVICE_OPTIONS,
    user: { value: 'name', summary: 'User of the service. Default: the owner of the project folder' },
    print: { summary: 'Print the unit, and change nothing' },
  },
  examples: [
    {
      line: 'service install --user greenroom',
      summary: 'Run the project of the current folder as this user',
    },
    { line: 'service install --name shop --print', summary: 'Show the unit' },
  ],
  async run({ options: { name, folder, user, print }, project }) {
    const { installService } = await import('../../service/service.ts');
    return installService({ name, folder, user, isPrinted: print }, project);
  },
});
