/** The checks of `/health`: those of the app, of the backend and of each service. */
import type { OpenService } from '@greenroom/service';
import type { Backend } from './backend.ts';
import type { HealthChecks } from './health.ts';

/** The database responds to it if it responds at all. */
export const PROBE = { text: 'select 1' };

/** Returns the checks of an instance by the names of its parts. */
export function healthChecks(backend: Backend | undefined, running: readonly OpenService[]): HealthChecks {
  const own: HealthChecks = {
    app: async () => undefined,
    ...(backend && {
      database: () => backend.admin.query(PROBE),
      disk: () => backend.folder.requireUsable(),
    }),
  };
  return Object.assign(own, ...running.map(({ health }) => health));
}
