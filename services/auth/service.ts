/** The authentication service, as a server opens it. */
import type { Service } from '@greenroom/service';
import { AUTH_ROLE } from './roles.ts';
import type { AuthConfig } from './settings/settings.ts';
import { authSettings } from './settings.ts';

/** Accounts, sessions and tokens. */
export const authService: Service<'auth', AuthConfig> = {
  name: 'auth',
  settings: authSettings,
  migrations: { service: 'auth', directory: new URL('./migrations/', import.meta.url) },
  roles: [AUTH_ROLE],
  open: (context) => import('./open.ts').then((module) => module.open(context)),
};
