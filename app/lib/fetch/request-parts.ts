/** From what is asked for to what goes over the wire: address, body and headers. Pure. */

/** Values of a query; lists repeat their name, what is absent is left out. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
type QueryValue = string | number | boolean | null | undefined;

/** A body: JSON for plain objects and lists, everything else as it is. */
export type Body = BodyInit | Readonly<Record<string, unknown>> | readonly unknown[] | null;

/** Methods with a payload: they may change something, so nobody repeats them unasked. */
const PAYLOAD_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = 'application/json';

/** Tells whether a method carries a payload. */
export function hasPayload(method: string): boolean {
  return PAYLOAD_METHODS.has(method.toUpperCase());
}

/** Joins base and path with one slash between them, and appends the query. An absolute address needs no base. */
export function buildUrl(path: string, baseURL: string, query: Query = {}): string {
  const isAbsolute = /^[a-z][a-z\d+.-]*:|^\/\//i.test(path);
  const address = isAbsolute ? path : joinPaths(baseURL, path);
  const [target = '', fragment] = address.split(/(#.*)$/s, 2);
  const text = writeQuery(query);
  const separator = text === '' ? '' : target.includes('?') ? '&' : '?';
  return target + separator + text + (fragment ?? '');
}

/** `accept` and `content-type` say JSON where the body is; given headers win. */
export function buildBody(
  method: string,
  body: Body | undefined,
  given: HeadersInit | undefined,
): { body: BodyInit | null; headers: Headers } {
  const headers = new Headers(given);
  if (!hasPayload(method) || !isJson(body))
    return { body: (body as BodyInit | null | undefined) ?? null, headers };
  if (!headers.has('content-type')) headers.set('content-type', JSON_TYPE);
  if (!headers.has('accept')) headers.set('accept', JSON_TYPE);
  return { body: JSON.stringify(body), headers };
}

function joinPaths(baseURL: string, path: string): string {
  if (path === '') return baseURL;
  return `${baseURL.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

function writeQuery(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) parameters.append(name, String(item));
    }
  }
  return parameters.toString();
}

function isJson(body: Body | undefined): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return Array.isArray(body) || prototype === Object.prototype || prototype === null;
}
