/** Bodies of forms: application/x-www-form-urlencoded. */

/** A field of a form. A name may be there more than once. */
export type FormField = readonly [name: string, value: string];

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
