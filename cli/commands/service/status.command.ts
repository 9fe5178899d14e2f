import { defineCommand } from '../../definition.ts';
import { SERVICE_OPTIONS } from './options.ts';

/** `greenroom service status`. */
export const serviceStatus = defineCommand({
  path: ['service', 'status'],
  summary: 'Print the state of the service',
  description: 'The exit code is 3 unless the service is active.',
  options: SERVICE_OPTIONS,
  examples: [{ line: 'service status --name shop', summary: 'Print the state of the service shop' }],
  async run({ options }) {
    return (await import('../../service/service.ts')).printServiceStatus(options);
  },
});
