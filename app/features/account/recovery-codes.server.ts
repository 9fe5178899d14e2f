/** Creates recovery codes, on the server. */

import { parseAuthResponse } from '../../session/auth-response.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import { callAuth, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { recoveryCodeTexts } from '../../texts/account-recovery-codes.ts';
import { countRecoveryCodes, RECOVERY_CODES_PATH } from '../login/recovery-code-count.server.ts';
import { outcome, refuse } from './outcome.server.ts';

/**
 * Creates the codes of a user who has just added their first factor. Returns undefined if codes exist, or
 * the backend does not support them.
 */
export async function firstRecoveryCodes(args: VisitorArgs): Promise<string[] | undefined> {
  const count = await countRecoveryCodes(args);
  if (count === undefined || count.createdAt !== undefined) return undefined;
  const created = await createCodes(args).catch(() => undefined);
  return created?.failure ? undefined : created?.codes;
}

/** Creates new codes, which invalidate the previous ones. */
export async function replaceRecoveryCodes(args: VisitorArgs) {
  const { codes, failure } = await createCodes(args);
  if (failure) return refuse(args, 'recovery-codes', failure);
  const { generated } = recoveryCodeTexts[args.context.get(languageContext)];
  return outcome({ card: 'recovery-codes', success: generated, recoveryCodes: codes }, 200);
}

async function createCodes(args: VisitorArgs) {
  const { body, failure } = await parseAuthResponse(
    await callAuth(args, RECOVERY_CODES_PATH, { method: 'POST', body: {} }),
  );
  return { codes: Array.isArray(body.codes) ? body.codes.map(String) : [], failure };
}
