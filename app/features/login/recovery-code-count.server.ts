/** How many recovery codes are left. Backends that do not have them say so. */

import { readAuthAnswer } from '../../session/auth-answer.ts';
import { callAuth, type VisitorArgs } from '../../shell/request/visitor.server.ts';

export const RECOVERY_CODES_PATH = '/factors/recovery-codes';

/** What is known of somebody's codes. */
export interface RecoveryCodeCount {
  /** Codes in a set. */
  total: number;
  /** Not used yet; 0 where no set was made. */
  remaining: number;
  /** ISO 8601; undefined where no set was made. */
  createdAt: string | undefined;
}

/** Undefined where the backend has none, or cannot say. Never rejects. */
export async function countRecoveryCodes(args: VisitorArgs): Promise<RecoveryCodeCount | undefined> {
  const answer = await callAuth(args, RECOVERY_CODES_PATH).catch(() => undefined);
  const { total, remaining, created_at } = (await readAuthAnswer(answer)).body;
  if (typeof total !== 'number' || typeof remaining !== 'number') return undefined;
  return { total, remaining, createdAt: typeof created_at === 'string' ? created_at : undefined };
}
