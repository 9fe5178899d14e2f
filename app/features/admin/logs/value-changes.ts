/** Compares the values before and after a change. */

/** A field of the values. */
export interface ValueChange {
  /** '' for values that have no fields. */
  name: string;
  /** Undefined if there is none. */
  before: string | undefined;
  after: string | undefined;
  isChanged: boolean;
}

/** Returns the fields of both values, changed ones first. Values without fields are one field without a name. */
export function valueChanges(before: unknown, after: unknown): ValueChange[] {
  if (isNone(before) && isNone(after)) return [];
  if (![before, after].every((value) => isNone(value) || isObject(value)))
    return [changeOf('', before, after)];
  const old = isObject(before) ? before : {};
  const current = isObject(after) ? after : {};
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  const changes = names.map((name) => changeOf(name, old[name], current[name]));
  return [...changes.filter(({ isChanged }) => isChanged), ...changes.filter(({ isChanged }) => !isChanged)];
}

function changeOf(name: string, before: unknown, after: unknown): ValueChange {
  const [old, current] = [textOf(before), textOf(after)];
  return { name, before: old, after: current, isChanged: old !== current };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
