/** The session state that components see, and the comparison of two states. */
import type { Claims, SessionSummary } from './claims.ts';

/** Session and user are either both set or both null. */
export interface ClientSession {
  session: SessionSummary | null;
  user: Claims | null;
}

/** The effect of an auth event on the state. */
interface SessionChange {
  /** Components must render again. */
  isDifferent: boolean;
  /** Pages may differ for this user: loaders must run again. */
  mustRevalidate: boolean;
}

/**
 * Compares by JSON text, as one state comes from the server and one from the client, without common
 * objects.
 */
export function compareSessions(before: ClientSession, after: ClientSession): SessionChange {
  return {
    isDifferent: stateText(before) !== stateText(after),
    mustRevalidate: rightsText(before) !== rightsText(after),
  };
}

function stateText({ session, user }: ClientSession): string {
  return JSON.stringify([session, user]);
}

/**
 * The part of a user that pages depend on: identity and permissions. Refreshing a token changes none of it.
 */
function rightsText({ user }: ClientSession): string {
  if (!user) return '';
  const { sub, email, phone, aal, role, app_metadata, user_metadata } = user;
  return JSON.stringify({ sub, email, phone, aal, role, app_metadata, user_metadata });
}
