/** Requires a code of GET /reauthenticate for a new password in an old session, if the configuration demands it. */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { isOpen, isValidCode } from '../../one-time/attempt.ts';
import { hashCode } from '../../one-time/code.ts';
import { isPending } from '../../one-time/pending.ts';
import { notApproved, providerApproval } from '../../one-time/provider-code.ts';
import { countWrongCode, type LockedToken, lockCodeOfUser, wipeToken } from '../../one-time/statements.ts';
import type { Caller } from '../../session/caller.ts';
import type { Changes } from './changes.ts';

/** Sessions younger than this need no reauthentication, as in GoTrue. */
const RECENT_SESSION_MS = 24 * 3_600_000;
const KIND = 'reauthentication_token';

/**
 * Consumes the code. Throws `reauthentication_needed` if it is missing, `reauthentication_not_valid` if it is wrong, and
 * `otp_expired` if the provider of SMS has not approved it.
 * Wrong codes are counted, and the code becomes void after as many as any other one-time code.
 */
export async function requireReauthentication(
  { password, nonce }: Changes,
  { user, session }: Caller,
  context: AuthContext,
): Promise<void> {
  const { config, database, now } = context;
  if (!password || !config.password.requireReauthentication) return;
  const signedInAt = session === undefined ? 0 : new Date(session.created_at).getTime();
  if (now().getTime() - signedInAt <= RECENT_SESSION_MS) return;
  if (nonce === '') throw failure('reauthentication_needed');
  const phone = user.email ? '' : (user.phone ?? '');
  const isApproved = phone === '' ? undefined : await providerApproval(phone, nonce, context);
  const isValid = await database.transaction((tx) => useCode(tx, context, user.id, { nonce, isApproved }));
  if (!isValid) throw isApproved === false ? notApproved() : failure('reauthentication_not_valid');
}

/** A code. `isApproved` is set if the provider of SMS has checked it. */
interface PresentedCode {
  nonce: string;
  isApproved: boolean | undefined;
}

async function useCode(
  tx: Transaction,
  context: AuthContext,
  userId: string,
  { nonce, isApproved }: PresentedCode,
): Promise<boolean> {
  const [locked] = await tx.query<LockedToken>(lockCodeOfUser(userId, KIND));
  if (locked === undefined) return false;
  const now = context.now();
  const hash = hashCode(locked.email || locked.phone || '', nonce);
  if (isApproved === undefined ? !isValidCode(locked, hash, now) : !(isApproved && isOpen(locked, now))) {
    await tx.commit([countWrongCode([locked.token_id], now)]);
    return false;
  }
  if (!isApproved && !isPending(locked, locked.email ? 'email' : 'phone', context)) return false;
  await tx.commit([wipeToken(userId, KIND, now)]);
  return true;
}
