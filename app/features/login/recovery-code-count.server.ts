/** The number of unused recovery codes. Backends without recovery codes report an error. */

import { parseAuthResponse } from '../../session/auth-response.ts';
import { callAuth, type VisitorArgs } from '../../shell/request/visitor.server.ts';

export const RECOVERY_CODES_PATH = '/factors/recovery-codes';

/** The recovery codes of a user. */
export interface RecoveryCodeCount {
  /** Number of codes in a set. */
  total: number;
  /** Number of unused codes; 0 if no set was created. */
  remaining: number;
  /** ISO 8601; undefined if no set was created. */
  createdAt: string | undefined;
}

/** Returns undefined if the backend has no recovery codes, or does not respond. Never rejects. */
export async function countRecoveryCodes(args: VisitorArgs): Promise<RecoveryCodeCount | undefined> {
  const response = await callAuth(args, RECOVERY_CODES_PATH).catch(() => undefined);
  const { total, remaining, created_at } = (await parseAuthResponse(response)).body;
  if (typeof total !== 'number' || typeof remaining !== 'number') return undefined;
  return { total, remaining, createdAt: typeof created_at === 'string' ? created_at : undefined };
}
