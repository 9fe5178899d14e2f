/** Ending sessions: endpoints. */
import type { Endpoint } from '../context.ts';
import { logout } from './logout.ts';

/** Relative to the service's prefix. */
export const sessionRoutes: readonly Endpoint[] = [{ method: 'POST', path: '/logout', handle: logout }];
