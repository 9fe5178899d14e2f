/** Endpoints that describe the service. */
import type { Endpoint } from '../context.ts';
import { health } from './health.ts';
import { jwks } from './jwks.ts';
import { settings } from './settings.ts';

/** Endpoints of this folder. Paths are relative to the service's prefix. */
export const instanceRoutes: readonly Endpoint[] = [
  { method: 'GET', path: '/health', handle: health },
  { method: 'GET', path: '/settings', handle: settings },
  { method: 'GET', path: '/.well-known/jwks.json', handle: jwks },
];
