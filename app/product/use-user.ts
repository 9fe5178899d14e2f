/** The user of a page. */
import type { Claims } from '../session/claims.ts';
import { useSession } from '../session/session-provider.tsx';

/** Returns the claims of the signed-in user; null for visitors without a session. */
export function useUser(): Claims | null {
  return useSession().user;
}
