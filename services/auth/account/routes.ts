/** Endpoints for users to manage their own account. */
import type { Endpoint } from '../context.ts';
import { METADATA_BYTES } from '../http/body-limits.ts';
import { deleteAccount } from './delete.ts';
import { exportAccount } from './export.ts';
import { getUser } from './get-user.ts';
import { reauthenticate } from './reauthenticate.ts';
import { endOwnSession, listOwnSessions } from './sessions.ts';
import { updateUser } from './update-user.ts';

/** Endpoints of this folder. Paths are relative to the service's prefix. */
export const accountRoutes: readonly Endpoint[] = [
  { method: 'GET', path: '/reauthenticate', handle: reauthenticate, hasSideEffects: true },
  { method: 'GET', path: '/user', handle: getUser },
  { method: 'PUT', path: '/user', handle: updateUser, bodyBytes: METADATA_BYTES },
  { method: 'DELETE', path: '/user', handle: deleteAccount },
  { method: 'GET', path: '/user/sessions', handle: listOwnSessions },
  { method: 'DELETE', path: '/user/sessions/:sessionId', handle: endOwnSession },
  { method: 'GET', path: '/user/export', handle: exportAccount },
];
