/** How long ago a moment was, with the moment itself in a tooltip. */
import { useLanguage } from '../texts/use-texts.ts';
import { formatAge } from './format-age.ts';
import { LocalTime } from './local-time.tsx';
import { Tooltip } from './tooltip.tsx';

/** `seconds` since 1970; `now` is the time at which the page was made, so that server and browser say the same. */
export function Age({ seconds, now }: { seconds: number; now: number }) {
  const language = useLanguage();
  return (
    <Tooltip text={<LocalTime seconds={seconds} />}>
      <time
        dateTime={new Date(seconds * 1000).toISOString()}
        className="whitespace-nowrap"
        // Two versions of the language's data may put it differently.
        suppressHydrationWarning
      >
        {formatAge(seconds, now, language)}
      </time>
    </Tooltip>
  );
}
