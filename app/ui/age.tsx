/** Shows how long ago a moment was, with the full date in a tooltip. */

import { formatAge } from '../lib/format/age.ts';
import { useLanguage } from '../texts/use-texts.ts';
import { LocalTime } from './local-time.tsx';
import { Tooltip } from './tooltip.tsx';

/**
 * `seconds` are those since 1970; `now` is the time of the server's rendering, so that server and browser
 * show the same text.
 */
export function Age({ seconds, now }: { seconds: number; now: number }) {
  const language = useLanguage();
  return (
    <Tooltip text={<LocalTime seconds={seconds} />}>
      <time
        dateTime={new Date(seconds * 1000).toISOString()}
        className="whitespace-nowrap"
        // The browser's version of the language data may format it differently than the server's.
        suppressHydrationWarning
      >
        {formatAge(seconds, now, language)}
      </time>
    </Tooltip>
  );
}
