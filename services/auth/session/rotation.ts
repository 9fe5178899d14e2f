/**
 * Decides what a presented refresh token gets: the rules of rotation and of reuse detection, without any I/O.
 */
import type { AuthConfig } from '../settings/settings.ts';

/** A presented token as its row says. `hash` is what the row keeps of the token. */
interface PresentedToken {
  hash: string;
  revoked: boolean;
  changedAt: Date;
}

/**
 * The youngest token of the session that is not revoked. `parent` is the hash of the token it was given for.
 */
interface ActiveToken {
  parent: string | null;
}

/**
 * - `rotate`: the token is spent and its successor issued;
 * - `repeat`: the client missed the last answer and gets the active token again, however late;
 * - `branch`: several tabs or servers refreshed at once; each gets a successor;
 * - `refuse`: an old token is used again, so one of two parties has stolen it.
 */
type Rotation = 'rotate' | 'repeat' | 'branch' | 'refuse';

type ReuseSettings = Pick<AuthConfig['refreshTokens'], 'reuseIntervalMs'>;

/**
 * Decides. @param active undefined where every token of the session is revoked: such a family has ended, so the reuse
 * interval does not apply to it. Ignored where `token` is not revoked.
 */
export function planRotation(
  token: PresentedToken,
  active: ActiveToken | undefined,
  settings: ReuseSettings,
  now: Date,
): Rotation {
  if (!token.revoked) return 'rotate';
  if (active === undefined) return 'refuse';
  if (active.parent === token.hash) return 'repeat';
  return isWithinReuseInterval(token, settings, now) ? 'branch' : 'refuse';
}

/** Whether a revoked token was revoked so recently that several clients may still present it. */
export function isWithinReuseInterval(
  { changedAt }: Pick<PresentedToken, 'changedAt'>,
  { reuseIntervalMs }: ReuseSettings,
  now: Date,
): boolean {
  return now.getTime() <= changedAt.getTime() + reuseIntervalMs;
}
