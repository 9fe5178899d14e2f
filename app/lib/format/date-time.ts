/** Formats dates and times. */

/** Locale and time zone of the format; absent ones are those of the device. */
interface FormatOptions {
  locale?: string;
  timeZone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats day and time, with the zone's name if `timeZone` is given. */
export function formatDateTime(date: Date, options: FormatOptions): string {
  const key = JSON.stringify([options.locale, options.timeZone]);
  // Creating a format takes much longer than using it.
  const format = formats.get(key) ?? createFormat(options);
  formats.set(key, format);
  return format.format(date);
}

function createFormat({ locale, timeZone }: FormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone, timeZoneName: 'short' }),
  });
}
