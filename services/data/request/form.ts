/** Parser for form bodies: application/x-www-form-urlencoded. */
import { decodeFormText } from '../form-decoding.ts';

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

/** Parses a form. Returns undefined if it is not UTF-8. A field without `=` has an empty value. */
export function parseForm(text: string): FormField[] | undefined {
  const fields: FormField[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodeFormText(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decodeFormText(part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    fields.push([name, value]);
  }
  return fields;
}

/** Converts a form to one JSON object of strings. The last field of a name wins. */
export function formToJson(fields: readonly FormField[]): string {
  const members = [...new Map(fields)].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}
