/** Bodies of forms: application/x-www-form-urlencoded. */

/** A field of a form. A name may be there more than once. */
export type FormField = readonly [name: string, value: string];

/** No function has so many parameters, and no relation so many columns. */
const MAX_FIELDS = 10_000;

/** Whether a form has more fields than any function or relation can use; it should not be parsed then. */
export function hasTooManyFields(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1 && count <= MAX_FIELDS; at = text.indexOf('&', at + 1))
    count += 1;
  return count > MAX_FIELDS;
}

/** Reads a form; undefined where it is not percent-encoded UTF-8. A field without `=` is empty. */
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

/** A form as one JSON object of texts. The last of a name counts. */
export function formToJson(fields: readonly FormField[]): string {
  const members = [...new Map(fields)].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}
