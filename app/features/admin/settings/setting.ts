/** Settings as the instance describes them, and the values of their forms. */

/** How a value is edited. */
type EditKind = 'boolean' | 'number' | 'text' | 'list' | 'choice';
/** A value as config.toml has it. */
export type EditValue = string | number | boolean | readonly string[];

/** A setting. See docs/reference/operator.md. */
export interface Setting {
  name: string;
  group: string;
  description: string;
  allowed: string;
  value: string | null;
  is_set: boolean;
  is_secret: boolean;
  default: string | null;
  source: 'default' | 'config' | 'environment' | 'env_file' | 'command_line' | 'database' | 'file';
  origin: string;
  key: string | null;
  is_negated: boolean;
  requires: string | null;
  is_reloadable: boolean;
  needs_restart: boolean;
  refusal: string | null;
  edit: { kind: EditKind; choices: readonly string[]; value: EditValue; is_in_file: boolean } | null;
}

/** Returns the text of a value in a field. */
export function textOfValue(value: EditValue): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Converts the text of a field. Undefined if it is no value of the kind. */
export function valueOfText(kind: EditKind, text: string): EditValue | undefined {
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (kind === 'number') {
    const number = Number(text.trim());
    return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
  }
  if (kind === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return text.replaceAll('\r\n', '\n');
}
