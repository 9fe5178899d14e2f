/**
 * Decides what a presented refresh token gets: the rules of rotation and of reuse detection, without any I/O.
 */
import type { AuthConfig } from '@greenroom/config';

/** A presented token as its row says. `hash` is what the row keeps of the token. */
export interface PresentedToken {
  hash: string;
  revoked: boolean;
  changedAt: Date;
}

/**
 * The youngest token of the session that is not revoked. `parent` is the hash of the token it was given for.
 */
export interface ActiveToken {
  parent: string | null;
}

/**
 * - `rotate`: the token is spent and its successor issued;
 * - `repeat`: the client missed the last answer and gets the active token again, however late;
 * - `branch`: several tabs or servers refreshed at once; each gets a successor;
 * - `refuse`: somebody uses an old token, which one of two parties must have stolen.
 */
export type Rotation = 'rotate' | 'repeat' | 'branch' | 'refuse';

/** Decides. @param active undefined where all tokens of the session are revoked; not looked at where `token` is not */
export function planRotation(
  token: PresentedToken,
  active: ActiveToken | undefined,
  { reuseIntervalMs }: Pick<AuthConfig['refreshTokens'], 'reuseIntervalMs'>,
  now: Date,
): Rotation {
  if (!token.revoked) return 'rotate';
  if (active?.parent === token.hash) return 'repeat';
  const reusableUntil = token.changedAt.getTime() + reuseIntervalMs;
  return now.getTime() > reusableUntil ? 'refuse' : 'branch';
}
