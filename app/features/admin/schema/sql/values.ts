/** The values of a form: each field has the texts that the browser sends for it. */

/** By name of the field. */
export type FormValues = Readonly<Record<string, readonly string[]>>;

const MAX_FIELD_CHARACTERS = 200_000;

/** Reads the fields of a form; later fields of a name follow earlier ones. Zero bytes are removed. */
export function readFormValues(form: FormData): FormValues {
  const values: Record<string, string[]> = {};
  for (const [name, value] of form.entries()) {
    if (typeof value !== 'string') continue;
    const text = value.slice(0, MAX_FIELD_CHARACTERS).replaceAll('\0', '').replaceAll('\r\n', '\n');
    const texts = Object.hasOwn(values, name) ? values[name] : undefined;
    if (texts) texts.push(text);
    else values[name] = [text];
  }
  return values;
}

/** Returns the text of a field without surrounding space; '' if it is absent. */
export function textOf(values: FormValues, name: string): string {
  return (values[name]?.[0] ?? '').trim();
}

/** Returns the lines of a field that are not empty. */
export function linesOf(values: FormValues, name: string): string[] {
  return (values[name]?.[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns whether a checkbox is checked. */
export function isChecked(values: FormValues, name: string): boolean {
  return values[name]?.[0] === 'on';
}

/** Returns the chosen entries of a field, without duplicates. */
export function chosenOf(values: FormValues, name: string): string[] {
  return [...new Set(values[name] ?? [])].filter((text) => text !== '');
}
