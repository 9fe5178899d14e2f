/** The declaration of the data API for the server. */
import type { Service } from '@greenroom/service';
import { AUTHENTICATOR_ROLE } from './roles.ts';
import { type DataConfig, dataSettings } from './settings/settings.ts';

/** Serves tables and functions of a database. Its migrations add the trigger that reloads the schema cache. */
export const dataService = {
  name: 'data',
  settings: dataSettings,
  migrations: { service: 'data', directory: new URL('./migrations/', import.meta.url) },
  roles: [AUTHENTICATOR_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
} satisfies Service<'data', DataConfig>;

function load() {
  return import('./open.ts');
}
