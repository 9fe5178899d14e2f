/** Values while they are edited: null, the default and the empty text are different values. */
import type { NewValue } from './change-sql.ts';
import type { TableColumn } from './table-model.ts';

/** An edited value. */
export interface DraftValue {
  mode: 'value' | 'null' | 'default';
  text: string;
}

/** Returns the draft of a stored value. */
export function draftOf(value: string | null): DraftValue {
  return value === null ? { mode: 'null', text: '' } : { mode: 'value', text: value };
}

/** Returns the draft of a column in a new row. */
export function newDraft(column: TableColumn): DraftValue {
  const hasDefault = column.default !== null || column.isGenerated;
  if (hasDefault) return { mode: 'default', text: '' };
  return column.isNullable ? { mode: 'null', text: '' } : { mode: 'value', text: '' };
}

/** Returns the value to store. */
export function newValueOf({ mode, text }: DraftValue): NewValue {
  if (mode === 'null') return null;
  return mode === 'default' ? { default: true } : text;
}

/** A mistake in a text; the page has a sentence for each. */
export type ValueMistake =
  | 'number'
  | 'integer'
  | 'boolean'
  | 'json'
  | 'array'
  | 'enum'
  | 'date'
  | 'timestamp'
  | 'uuid'
  | 'bytea';

const NUMBER = /^\s*[+-]?(\d[\d_]*(\.[\d_]*)?|\.\d[\d_]*)(e[+-]?\d+)?\s*$/i;
const SPECIAL_NUMBER = /^\s*([+-]?(inf|infinity)|nan)\s*$/i;
const INTEGER = /^\s*[+-]?\d[\d_]*\s*$/;
const INTEGER_TYPES = new Set(['smallint', 'integer', 'bigint']);
const BOOLEAN = /^\s*(t|true|y|yes|on|1|f|false|n|no|off|0)\s*$/i;
const UUID = /^\s*\{?[0-9a-f]{4}(-?[0-9a-f]{4}){7}\}?\s*$/i;
const HEX = /^\\x([0-9a-f]{2})*$/i;
const DATE = /^\s*(\d{4,}-\d{1,2}-\d{1,2}( bc)?|-?infinity|today|tomorrow|yesterday)\s*$/i;
const TIMESTAMP =
  /^\s*(\d{4,}-\d{1,2}-\d{1,2}([ t]\d{1,2}:\d{2}.*)?|-?infinity|now|today|tomorrow|yesterday)\s*$/i;

/** Returns the mistake of a text for a column; undefined if there is none. The database still checks ranges and lengths. */
export function mistakeOf(
  column: Pick<TableColumn, 'kind' | 'type' | 'labels'>,
  text: string,
): ValueMistake | undefined {
  switch (column.kind) {
    case 'number':
      if (INTEGER_TYPES.has(column.type)) return INTEGER.test(text) ? undefined : 'integer';
      return NUMBER.test(text) || SPECIAL_NUMBER.test(text) ? undefined : 'number';
    case 'boolean':
      return BOOLEAN.test(text) ? undefined : 'boolean';
    case 'json':
      return isJson(text) ? undefined : 'json';
    case 'array':
      return isArrayLiteral(text) ? undefined : 'array';
    case 'enum':
      return column.labels.includes(text) ? undefined : 'enum';
    case 'date':
      return DATE.test(text) ? undefined : 'date';
    case 'timestamp':
      return TIMESTAMP.test(text) ? undefined : 'timestamp';
    case 'uuid':
      return UUID.test(text) ? undefined : 'uuid';
    case 'bytea':
      return HEX.test(text) ? undefined : 'bytea';
    default:
      return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Checks braces and quotes only. Bounds may precede the braces: `[0:1]={a,b}`. */
function isArrayLiteral(text: string): boolean {
  const body = /^\s*(?:(?:\[[+-]?\d+(?::[+-]?\d+)?\])+=)?(\{[\s\S]*\})\s*$/.exec(text)?.[1];
  if (body === undefined) return false;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < body.length; index++) {
    const character = body[index];
    if (character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === '{') depth++;
    else if (!isQuoted && character === '}') depth--;
    if (depth === 0 && index < body.length - 1) return false;
  }
  return depth === 0 && !isQuoted;
}
