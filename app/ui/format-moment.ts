/** Writes moments down for people. */

/** Whose way of writing it is; what is absent is the reader's own. */
interface Reader {
  locale?: string;
  timeZone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Day and time, with the zone where it is given. */
export function formatMoment(moment: Date, reader: Reader): string {
  const key = JSON.stringify([reader.locale, reader.timeZone]);
  // Making a format takes far longer than using it.
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
