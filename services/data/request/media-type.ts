/** Media types: those that the data API supports, and all others by name. */

/** A media type with the values of its parameters. */
export type MediaType =
  | { kind: Simple }
  /** A list of rows without the fields that are null. */
  | { kind: 'array-stripped' }
  /** Exactly one row. */
  | { kind: 'object'; stripsNulls: boolean }
  | Plan
  /** In lower case, without parameters. */
  | { kind: 'other'; name: string };

/** The execution plan for a response of type `of`. */
interface Plan {
  kind: 'plan';
  of: MediaType;
  format: 'text' | 'json';
  options: readonly PlanOption[];
}

const SIMPLE = {
  any: '*/*',
  json: 'application/json',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  openapi: 'application/openapi+json',
  text: 'text/plain',
  xml: 'text/xml',
  form: 'application/x-www-form-urlencoded',
  'octet-stream': 'application/octet-stream',
} as const;

type Simple = keyof typeof SIMPLE;

const SIMPLE_BY_NAME = new Map<string, Simple>(
  Object.entries(SIMPLE).map(([kind, name]) => [name, kind as Simple]),
);

const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

/** An option of `EXPLAIN`. */
export type PlanOption = (typeof PLAN_OPTIONS)[number];

/** Parses a media type, e.g. `application/vnd.pgrst.object+json;nulls=stripped`. Never fails: any text is a name. */
export function parseMediaType(text: string): MediaType {
  const [essence = '', ...parameters] = splitOutsideQuotes(text, ';');
  const name = essence.trim().toLowerCase();
  const simple = SIMPLE_BY_NAME.get(name);
  if (simple !== undefined) return { kind: simple };
  return parseVendored(name, parametersOf(parameters)) ?? { kind: 'other', name };
}

function parseVendored(name: string, parameters: ReadonlyMap<string, string>): MediaType | undefined {
  const stripsNulls = parameters.get('nulls') === 'stripped';
  switch (name) {
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripsNulls };
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripsNulls ? { kind: 'array-stripped' } : { kind: 'json' };
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
      return planOf(parameters, 'text');
    case 'application/vnd.pgrst.plan+json':
      return planOf(parameters, 'json');
  }
  return undefined;
}

function planOf(parameters: ReadonlyMap<string, string>, format: Plan['format']): Plan {
  const requested = (parameters.get('options') ?? '').split('|');
  const of = parseMediaType(parameters.get('for') ?? SIMPLE.json);
  return { kind: 'plan', of, format, options: PLAN_OPTIONS.filter((option) => requested.includes(option)) };
}

/** A parameter: a token or a quoted string (RFC 9110 §5.6.6). Tolerates blanks around `=`, which clients send. */
const PARAMETER = /^\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))\s*$/;

/** Returns parameters by lower-case name, with unquoted values. The first parameter of a name wins. */
function parametersOf(texts: readonly string[]): Map<string, string> {
  const pairs = texts.flatMap((text): [string, string][] => {
    const [, name, quoted, plain] = PARAMETER.exec(text) ?? [];
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    return name === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return new Map(pairs.toReversed());
}

/** Splits the value of a header at separators outside of quoted strings (RFC 9110 §5.6.4). */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted && text[at] === '\\') at++;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** Formats a media type with its supported parameters. */
export function mediaTypeName(type: MediaType): string {
  switch (type.kind) {
    case 'array-stripped':
      return 'application/vnd.pgrst.array+json;nulls=stripped';
    case 'object':
      return `application/vnd.pgrst.object+json${type.stripsNulls ? ';nulls=stripped' : ''}`;
    case 'plan': {
      const options = type.options.length === 0 ? '' : `; options=${type.options.join('|')}`;
      const of = mediaTypeName(type.of).replace(/["\\]/g, '\\$&');
      return `application/vnd.pgrst.plan+${type.format}; for="${of}"${options}`;
    }
    case 'other':
      return type.name;
    default:
      return SIMPLE[type.kind];
  }
}

/** Returns the header Content-Type of a response. Types of unknown content have no charset. */
export function contentTypeOf(type: MediaType): string {
  const isUnknown = type.kind === 'octet-stream' || type.kind === 'other';
  return isUnknown ? mediaTypeName(type) : `${mediaTypeName(type)}; charset=utf-8`;
}
