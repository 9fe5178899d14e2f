/** The events of `greenroom logs --output-format stream-json`. */
import type { LogEntry } from '@greenroom/log';

/** Returns the event of `stream-json`. */
export function eventOf({ fields: _, ...entry }: LogEntry, source: 'history' | 'live') {
  return { type: 'log-entry', ...entry, source };
}
