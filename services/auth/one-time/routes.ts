/** Verifying codes and links: endpoints. */
import type { Endpoint } from '../context.ts';
import { verifyGet, verifyPost } from './verify.ts';

/** Relative to the service's prefix. */
export const oneTimeRoutes: readonly Endpoint[] = [
  { method: 'GET', path: '/verify', handle: verifyGet, usesUp: true },
  { method: 'POST', path: '/verify', handle: verifyPost },
];
