/** Builds the URL, body and headers of a request. Pure functions. */

/** Query parameters: a list repeats its name; null and undefined are omitted. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
type QueryValue = string | number | boolean | null | undefined;

/** A request body: plain objects and lists are sent as JSON, everything else unchanged. */
export type Body = BodyInit | Readonly<Record<string, unknown>> | readonly unknown[] | null;

/** Methods with a body. They may change state, so they are not retried by default. */
const PAYLOAD_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = 'application/json';

/** Returns whether requests of this method carry a body. */
export function hasPayload(method: string): boolean {
  return PAYLOAD_METHODS.has(method.toUpperCase());
}

/** Joins base and path with exactly one slash, and appends the query. An absolute URL ignores the base. */
export function buildUrl(path: string, baseURL: string, query: Query = {}): string {
  const isAbsolute = /^[a-z][a-z\d+.-]*:|^\/\//i.test(path);
  const address = isAbsolute ? path : joinPaths(baseURL, path);
  const [target = '', fragment] = address.split(/(#.*)$/s, 2);
  const text = writeQuery(query);
  const separator = text === '' ? '' : target.includes('?') ? '&' : '?';
  return target + separator + text + (fragment ?? '');
}

/** Sets `accept` and `content-type` to JSON for a JSON body; headers of the caller take precedence. */
export function buildBody(
  method: string,
  body: Body | undefined,
  headersInit: HeadersInit | undefined,
): { body: BodyInit | null; headers: Headers } {
  const headers = new Headers(headersInit);
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
