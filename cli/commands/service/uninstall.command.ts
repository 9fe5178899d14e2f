import { defineCommand } from '../../definition.ts';
import { SERVICE_OPTIONS } from './options.ts';

/** `greenroom service uninstall`. */
export const serviceUninstall = defineCommand({
  path: ['service', 'uninstall'],
  summary: 'Stop the service and remove its unit; the data stays',
  options: SERVICE_OPTIONS,
  examples: [{ line: 'service uninstall', summary: 'Remove the service greenroom' }],
  async run({ options }) {
    return (await import('../../service/service.ts')).uninstallService(options);
  },
});
