/** Rules of refresh token rotation and reuse detection, without I/O. */
import type { AuthConfig } from '../settings/settings.ts';

/** The stored state of the presented token. */
interface PresentedToken {
  hash: string;
  revoked: boolean;
  changedAt: Date;
}

/** The newest unrevoked token of the session. `parent` is the hash of its predecessor. */
interface ActiveToken {
  parent: string | null;
}

/**
 * - `rotate`: revoke the token and issue its successor;
 * - `repeat`: the client missed the last response; issue the active token again, at any age;
 * - `branch`: several tabs or servers refreshed concurrently; issue a successor to each;
 * - `refuse`: an old token is reused, so it was stolen.
 */
type Rotation = 'rotate' | 'repeat' | 'branch' | 'refuse';

type ReuseSettings = Pick<AuthConfig['refreshTokens'], 'reuseIntervalMs'>;

/**
 * Decides what to issue for a presented token.
 * @param active undefined if every token of the session is revoked: such a family has ended, so the reuse
 * interval does not apply. Ignored if `token` is not revoked.
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

/** Whether a token was revoked so recently that concurrent clients may still present it. */
export function isWithinReuseInterval(
  { changedAt }: Pick<PresentedToken, 'changedAt'>,
  { reuseIntervalMs }: ReuseSettings,
  now: Date,
): boolean {
  return now.getTime() <= changedAt.getTime() + reuseIntervalMs;
}
