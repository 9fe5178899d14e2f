/** Endpoints for second factors. */
import type { Endpoint } from '../context.ts';
import { challengeFactor } from './challenge.ts';
import { enrollFactor } from './enroll.ts';
import { createRecoveryCodes, showRecoveryCodes } from './recovery-codes/manage.ts';
import { verifyRecoveryCode } from './recovery-codes/verify.ts';
import { unenrollFactor } from './unenroll.ts';
import { verifyFactor } from './verify.ts';

/** Endpoints of this folder. Paths are relative to the service's prefix. */
export const factorRoutes: readonly Endpoint[] = [
  { method: 'POST', path: '/factors', handle: enrollFactor },
  { method: 'GET', path: '/factors/recovery-codes', handle: showRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes', handle: createRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes/verify', handle: verifyRecoveryCode },
  { method: 'POST', path: '/factors/:factorId/challenge', handle: challengeFactor },
  { method: 'POST', path: '/factors/:factorId/verify', handle: verifyFactor },
  { method: 'DELETE', path: '/factors/:factorId', handle: unenrollFactor },
];
