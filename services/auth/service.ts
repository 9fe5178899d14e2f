/** The contract of the authentication service. Importing this module does not load the implementation. */
import type { Service } from '@greenroom/service';
import { AUTH_ROLE } from './roles.ts';
import type { AuthConfig } from './settings/settings.ts';
import { authSettings } from './settings.ts';

/** Service for accounts, sessions and tokens. */
export const authService = {
  name: 'auth',
  settings: authSettings,
  migrations: { service: 'auth', directory: new URL('./migrations/', import.meta.url) },
  roles: [AUTH_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
} satisfies Service<'auth', AuthConfig>;

function load() {
  return import('./open.ts');
}
