/** The contract of jobs with the server. Loads the implementation only when the service is opened. */
import type { Service } from '@greenroom/service';
import { NET_ROLE } from './roles.ts';
import { type JobsConfig, jobsSettings } from './settings.ts';

/** Work of SQL: cron jobs, the functions of pg_net, and database webhooks. */
export const jobsService: Service<'jobs', JobsConfig> = {
  name: 'jobs',
  settings: jobsSettings,
  migrations: { service: 'jobs', directory: new URL('./migrations/', import.meta.url) },
  roles: [NET_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
};

function load() {
  return import('./open.ts');
}
