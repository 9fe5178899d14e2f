/**
 * A moment in the device's time zone and the page's language; in UTC until hydration. A product may fix the locale and the
 * time zone.
 */

import { formatDateTime } from '../lib/format/date-time.ts';
import { usePage } from '../lib/page/page-context.tsx';
import { useIsHydrated } from '../lib/use-is-hydrated.ts';
import { useLanguage } from '../texts/use-texts.ts';

const WITHOUT_SCRIPTS = { en: 'en-GB', de: 'de-DE' } as const;

/** `seconds` since 1970. */
export function LocalTime({ seconds }: { seconds: number }) {
  const isHydrated = useIsHydrated();
  const language = useLanguage();
  const date = new Date(seconds * 1000);
  const { locales, timeZone } = usePage().config.site?.formats ?? {};
  const locale = locales?.[language];
  const device = isHydrated
    ? { locale: regionalVariant(language) }
    : { locale: WITHOUT_SCRIPTS[language], timeZone: 'UTC' };
  const options = { ...device, ...(locale && { locale }), ...(timeZone && { timeZone }) };
  return (
    <time dateTime={date.toISOString()} className="whitespace-nowrap tabular-nums">
      {formatDateTime(date, options)}
    </time>
  );
}

/** Returns the browser's regional variant of a language, such as `en-AU`, if it has one. */
function regionalVariant(language: string): string {
  return navigator.languages.find((name) => name.split('-', 1)[0] === language) ?? language;
}
