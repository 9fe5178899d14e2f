/** A moment in the reader's own time zone and in the page's language; in UTC until the page has come alive. */

import { useIsAlive } from '../lib/use-is-alive.ts';
import { useLanguage } from '../texts/use-texts.ts';
import { formatMoment } from './format-moment.ts';

const WITHOUT_SCRIPTS = { en: 'en-GB', de: 'de-DE' } as const;

/** `seconds` since 1970. */
export function LocalTime({ seconds }: { seconds: number }) {
  const isAlive = useIsAlive();
  const language = useLanguage();
  const moment = new Date(seconds * 1000);
  const reader = isAlive
    ? { locale: ownVariety(language) }
    : { locale: WITHOUT_SCRIPTS[language], timeZone: 'UTC' };
  return (
    <time dateTime={moment.toISOString()} className="whitespace-nowrap tabular-nums">
      {formatMoment(moment, reader)}
    </time>
  );
}

/** The reader's own variety of a language, such as `en-AU`, if they have one. */
function ownVariety(language: string): string {
  return navigator.languages.find((name) => name.split('-', 1)[0] === language) ?? language;
}
