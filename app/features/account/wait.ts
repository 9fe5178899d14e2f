/** For how long the backend sends no second message of a kind. */

/** GoTrue's default; where a site has another, the backend says so. */
const SPACING_SECONDS = 60;

/** `attempt` is another one with every message. */
export interface Wait {
  attempt: string;
  /** From now. */
  seconds: number;
}

/** @param sentAt RFC 3339, of the last message; undefined where there was none @param now milliseconds */
export function waitAfter(sentAt: unknown, now: number): Wait {
  const sent = typeof sentAt === 'string' ? Date.parse(sentAt) : Number.NaN;
  if (Number.isNaN(sent)) return { attempt: '', seconds: 0 };
  const left = Math.ceil((sent - now) / 1000) + SPACING_SECONDS;
  return { attempt: String(sent), seconds: Math.min(SPACING_SECONDS, Math.max(0, left)) };
}
