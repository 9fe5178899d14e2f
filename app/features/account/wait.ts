/** The waiting time before the backend sends another message of a kind. */

/** GoTrue's default. If a site has another setting, the backend's error message states it. */
const SPACING_SECONDS = 60;

/** `attempt` changes with every message. */
export interface Wait {
  attempt: string;
  /** Seconds from now. */
  seconds: number;
}

/**
 * Returns the waiting time after a message. @param sentAt time of the last message as RFC 3339; undefined
 * if there was none @param now milliseconds
 */
export function waitAfter(sentAt: unknown, now: number): Wait {
  const sent = typeof sentAt === 'string' ? Date.parse(sentAt) : Number.NaN;
  if (Number.isNaN(sent)) return { attempt: '', seconds: 0 };
  const left = Math.ceil((sent - now) / 1000) + SPACING_SECONDS;
  return { attempt: String(sent), seconds: Math.min(SPACING_SECONDS, Math.max(0, left)) };
}
