/** Formats dates and times. */

/** Locale and time zone of the format; absent ones are those of the device. */
interface Reader {
  locale?: string;
  timeZone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats day and time, with the zone's name if `timeZone` is given. */
export function formatMoment(moment: Date, reader: Reader): string {
  const key = JSON.stringify([reader.locale, reader.timeZone]);
  // Creating a format takes much longer than using it.
  const format = formats.get(key) ?? makeFormat(reader);
  formats.set(key, format);
  return format.format(moment);
}

function makeFormat({ locale, timeZone }: Reader): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone, timeZoneName: 'short' }),
  });
}
