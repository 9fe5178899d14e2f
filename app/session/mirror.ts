/** The state of the session as components see it, and when it counts as changed. */
import type { Claims, SessionSummary } from './claims.ts';

/** Session and user are both there or both null. */
export interface MirroredSession {
  session: SessionSummary | null;
  user: Claims | null;
}

/** What an auth event does to the state. */
interface MirrorChange {
  /** Components must see the new state. */
  isDifferent: boolean;
  /** Pages may look different to this person: they must ask the server again. */
  mustRevalidate: boolean;
}

/** Compares by JSON text, as the states come from two sides and share no object. */
export function compareMirrored(before: MirroredSession, after: MirroredSession): MirrorChange {
  return {
    isDifferent: stateText(before) !== stateText(after),
    mustRevalidate: rightsText(before) !== rightsText(after),
  };
}

function stateText({ session, user }: MirroredSession): string {
  return JSON.stringify([session, user]);
}

/** What decides about pages: who it is, and what they may do. A refreshed token alone changes none of it. */
function rightsText({ user }: MirroredSession): string {
  if (!user) return '';
  const { sub, email, phone, aal, role, app_metadata, user_metadata } = user;
  return JSON.stringify({ sub, email, phone, aal, role, app_metadata, user_metadata });
}
