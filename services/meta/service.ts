/** The contract of the service with the server. Loads the implementation only when the service is opened. */
import type { Service } from '@greenroom/service';
import { META_ROLE } from './roles.ts';
import { type MetaConfig, metaSettings } from './settings.ts';

/** SQL for the admin area, at `/pg`. */
export const metaService: Service<'meta', MetaConfig> = {
  name: 'meta',
  settings: metaSettings,
  migrations: { service: 'meta', directory: new URL('./migrations/', import.meta.url) },
  roles: [META_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
};

function load() {
  return import('./open.ts');
}
