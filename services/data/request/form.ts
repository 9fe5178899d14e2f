/** Parser for form bodies: application/x-www-form-urlencoded. */

/** A field of a form. A name may occur more than once. */
export type FormField = readonly [name: string, value: string];

/** No function has more parameters, and no relation more columns. */
const MAX_FIELDS = 10_000;

/** Whether a form has more fields than any function or relation can use. Call this before {@link parseForm}. */
export function hasTooManyFields(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1 && count <= MAX_FIELDS; at = text.indexOf('&', at + 1))
    count += 1;
  return count > MAX_FIELDS;
}

/** Parses a form. Returns undefined if it is not valid percent-encoded UTF-8. A field without `=` has an empty value. */
export function parseForm(text: string): FormField[] | undefined {
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map(parseField);
  } catch {
    return undefined;
  }
}

function parseField(part: string): FormField {
  const equals = part.indexOf('=');
  return equals === -1
    ? [decoded(part), '']
    : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))];
}

/** Throws URIError. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Converts a form to one JSON object of strings. The last field of a name wins. */
export function formToJson(fields: readonly FormField[]): string {
  const members = [...new Map(fields)].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}
