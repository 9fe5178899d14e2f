/** A moment in the reader's own time zone and language; in UTC until the page has come alive. */
import { formatMoment } from './format-moment.ts';
import { useIsAlive } from './use-is-alive.ts';

/** `seconds` since 1970. */
export function LocalTime({ seconds }: { seconds: number }) {
  const isAlive = useIsAlive();
  const moment = new Date(seconds * 1000);
  return (
    <time dateTime={moment.toISOString()} className="tabular-nums">
      {formatMoment(moment, isAlive ? {} : { locale: 'en-GB', timeZone: 'UTC' })}
    </time>
  );
}
