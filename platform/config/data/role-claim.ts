/**
 * Where in the claims of a token its role is: a JSONPath (RFC 9535) of names and indexes, with a comparison at its end
 * perhaps, e.g. `$.app_metadata.roles[0]`. PostgREST's older form without `$`, e.g. `.roles[?(@ ^== "app_")]`, is taken
 * as well.
 */

/** One step into the claims. */
export type RoleClaimStep =
  | { kind: 'name'; name: string }
  /** Counted from the end where it is negative. */
  | { kind: 'index'; index: number }
  /** The first text of a list for which it holds. */
  | { kind: 'search'; comparison: Comparison; text: string };

/** How texts of a list are compared: equal, not equal, and begins with, ends with, contains. */
export type Comparison = '==' | '!=' | '^==' | '==^' | '*==';

/** A whole path; not empty. */
export type RoleClaimPath = readonly RoleClaimStep[];

/** Where the path stands: which form comes next, and which step that is. */
const STEPS: readonly [form: RegExp, step: (...groups: string[]) => RoleClaimStep][] = [
  [/\.([\p{L}\p{N}_@$]+)/uy, (name) => ({ kind: 'name', name })],
  [/\."((?:[^"\\]|\\.)*)"/uy, (name) => ({ kind: 'name', name: unescaped(name) })],
  [/\["((?:[^"\\]|\\.)*)"\]/uy, (name) => ({ kind: 'name', name: unescaped(name) })],
  [/\['((?:[^'\\]|\\.)*)'\]/uy, (name) => ({ kind: 'name', name: unescaped(name) })],
  [/\[(-?\d{1,9})\]/uy, (index) => ({ kind: 'index', index: Number(index) })],
  [/\[\?\s*\(\s*@\s*(==\^|\^==|\*==|==|!=)\s*"((?:[^"\\]|\\.)*)"\s*\)\s*\]$/uy, search],
  [/\[\?\s*\(\s*@\s*(==\^|\^==|\*==|==|!=)\s*'((?:[^'\\]|\\.)*)'\s*\)\s*\]$/uy, search],
  [/\[\?\s*@\s*(==|!=)\s*"((?:[^"\\]|\\.)*)"\s*\]$/uy, search],
  [/\[\?\s*@\s*(==|!=)\s*'((?:[^'\\]|\\.)*)'\s*\]$/uy, search],
];

function search(comparison: string, text: string): RoleClaimStep {
  return { kind: 'search', comparison: comparison as Comparison, text: unescaped(text) };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gu, '$1');
}

/** Reads a path; undefined where it has another form. */
export function parseRoleClaim(text: string): RoleClaimPath | undefined {
  const steps: RoleClaimStep[] = [];
  let at = text.startsWith('$') ? 1 : 0;
  while (at < text.length) {
    const found = stepAt(text, at);
    if (found === undefined) return undefined;
    steps.push(found.step);
    at = found.end;
  }
  return steps.length === 0 ? undefined : steps;
}

function stepAt(text: string, at: number): { step: RoleClaimStep; end: number } | undefined {
  for (const [form, step] of STEPS) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match !== null) return { step: step(...match.slice(1)), end: form.lastIndex };
  }
  return undefined;
}

/** The role in the claims of a token; undefined where there is no text at the end of the path. */
export function findRole(path: RoleClaimPath, claims: unknown): string | undefined {
  const found = path.reduce(valueAt, claims);
  return typeof found === 'string' ? found : undefined;
}

function valueAt(value: unknown, step: RoleClaimStep): unknown {
  if (step.kind === 'name') return memberOf(value, step.name);
  if (!Array.isArray(value)) return undefined;
  if (step.kind === 'index') return value.at(step.index);
  return value.find((item) => typeof item === 'string' && holds(item, step));
}

// Only own members: claims may not be asked for what every object has.
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function holds(item: string, { comparison, text }: Extract<RoleClaimStep, { kind: 'search' }>): boolean {
  switch (comparison) {
    case '==':
      return item === text;
    case '!=':
      return item !== text;
    case '^==':
      return item.startsWith(text);
    case '==^':
      return item.endsWith(text);
    case '*==':
      return item.includes(text);
  }
}
