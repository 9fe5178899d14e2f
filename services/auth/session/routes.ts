import type { Endpoint } from '../context.ts';
import { logout } from './logout.ts';

/** Endpoints that end sessions. Paths are relative to the service's prefix. */
export const sessionRoutes: readonly Endpoint[] = [{ method: 'POST', path: '/logout', handle: logout }];
