/** Endpoints for the verification of codes and links. */
import type { Endpoint } from '../context.ts';
import { verifyGet, verifyPost } from './verify.ts';

/** Endpoints of this folder. Paths are relative to the service's prefix. */
export const oneTimeRoutes: readonly Endpoint[] = [
  { method: 'GET', path: '/verify', handle: verifyGet, hasSideEffects: true },
  { method: 'POST', path: '/verify', handle: verifyPost },
];
