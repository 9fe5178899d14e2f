import { defineCommand } from '../definition.ts';

/** `greenroom start`. */
export const start = defineCommand({
  path: ['start'],
  summary: 'Start the app and all services on one port',
  isServer: true,
  options: {
    services: {
      value: 'names',
      summary:
        'Start only these services, without the app: auth, data, storage, realtime, functions, jobs (data or storage alone serves the existing database of DATABASE_URL)',
    },
    https: {
      value: 'domain',
      isRepeatable: true,
      summary:
        'Obtain and renew a certificate for this host name, and listen on ports 443 and 80; may be repeated',
    },
    'cli-keys': {
      isNegatable: true,
      summary: 'Use the fixed keys and database password of the Supabase CLI, also at later starts',
    },
    detach: { summary: 'Start in the background; return when the start is ready or has failed' },
  },
  examples: [
    { line: 'start', summary: 'Start the project of the current folder' },
    { line: 'start --project ../shop --detach', summary: 'Start another project in the background' },
    { line: 'start --services auth,data', summary: 'Start without the app' },
    { line: 'start --https example.org', summary: 'Start a public server with a certificate' },
  ],
  async run({ options: { services, https, detach, 'cli-keys': usesCliKeys }, project }) {
    const { startInstance } = await import('./start-instance.ts');
    return startInstance({ services, domains: https, detach, usesCliKeys }, project);
  },
});
