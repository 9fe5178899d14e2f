/**
 * Converts a Node.js request for the router: validates method, URL, origin and content type, and reads a
 * form's body.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestDetails } from '../lib/page/page-options.ts';
import { pageOfPayload } from '../lib/payload/payload-path.ts';
import type { Refusal } from '../session/page-build.ts';
import {
  type BodyResult,
  MAX_ADMIN_FORM_BYTES,
  MAX_ENDPOINT_BYTES,
  MAX_FILE_FORM_BYTES,
  MAX_FORM_BYTES,
  MAX_JSON_BYTES,
  readBody,
  streamBody,
} from './form-body.ts';
import { isOwnAction } from './origin-check.ts';

/** Methods that pages support. */
export const PAGE_METHODS = 'GET, HEAD, POST';
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Methods with a body that routes of a product without a page support. */
const ENDPOINT_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Only a form to the home page with this search parameter may carry files. */
const FILES_PARAMETER = 'with-files';
const FILE_FORM_TYPE = 'multipart/form-data';
/** Routes without a page, below the home page, whose requests are JSON. */
const JSON_ROUTES: ReadonlySet<string> = new Set(['admin/tables/rows']);
const JSON_TYPE = 'application/json';
/** Maximum number of characters of a URL that a message repeats. */
const MAX_SHOWN_ESCAPES = 30;
/** Origin for requests without a valid host, so that even the error page has a URL. */
const FALLBACK_ORIGIN = 'http://localhost';

/** Values outside of the request that determine its URL. */
interface UrlContext extends Pick<RequestDetails, 'protocol' | 'host'> {
  publicUrl: string | undefined;
  /** Path of the home page, with a trailing slash. */
  baseURL: string;
  /** Absent if no product has routes without a page. */
  isEndpoint?: EndpointCheck | undefined;
}

/** Returns whether a path leads to a route of a product without a page. */
export type EndpointCheck = (pathname: string) => boolean | Promise<boolean>;

/** A parsed request. */
export interface Incoming {
  method: string;
  /** Absolute URL of the page. */
  url: string;
  /** Public origin of the app. */
  origin: string;
  /** Host that the visitor used, with the port if it is not the default one. */
  host: string;
  isHttps: boolean;
  /** The client wants only the page's data; `url` is that of the page. */
  isPayload: boolean;
  /** A body with files or of JSON is a stream, so that it is never read for visitors without a session. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  refusal: Refusal | undefined;
}

/**
 * Reads a request to its end, or up to the limit of a form; a form with files is left unread. An invalid
 * request gets a refusal with status 400, 403, 405, 413 or 415; rejects only if the client disconnects
 * early.
 */
export async function receive(request: IncomingMessage, context: UrlContext): Promise<Incoming> {
  const { method = 'GET' } = request;
  const site = findSite(context);
  const target = findPath(request.url);
  const payloadOf = target === undefined ? undefined : pageOfPayload(target);
  const isPayload = payloadOf !== undefined;
  const path = payloadOf ?? target;
  const { origin, isHttps } = site;
  const host = site.base.slice(site.base.indexOf('//') + 2);
  const incoming = { method, url: site.base + (path ?? '/'), origin, host, isHttps, isPayload };
  if (site.isUnknown) return refuse(incoming, { status: 400, code: 'invalidHost' });
  const addressProblem =
    path === undefined ? { code: 'invalidAddress' as const } : problemWithAddress(incoming.url);
  if (addressProblem) return refuse(incoming, { status: 400, ...addressProblem });
  if (
    !READ_METHODS.has(method) &&
    !isPayload &&
    (await context.isEndpoint?.(new URL(incoming.url).pathname))
  ) {
    return receiveAny(request, incoming, context);
  }
  if (!PAGE_METHODS.split(', ').includes(method) || (isPayload && method === 'POST'))
    return refuse(incoming, { status: 405, code: 'methodNotAllowed', value: method });
  if (method !== 'POST') return { ...incoming, body: undefined, refusal: undefined };
  return receiveForm(request, incoming, context);
}

/** Receives a body of any type for a route without a page. */
async function receiveAny(
  request: IncomingMessage,
  incoming: Omit<Incoming, 'body' | 'refusal'>,
  { publicUrl, host }: UrlContext,
): Promise<Incoming> {
  const { headers } = request;
  if (!ENDPOINT_METHODS.has(incoming.method))
    return refuse(incoming, { status: 405, code: 'methodNotAllowed', value: incoming.method });
  const source = { origin: headers.origin, secFetchSite: secFetchSite(request), host };
  if (!isOwnAction(source, publicUrl)) return refuse(incoming, { status: 403, code: 'crossSiteForm' });
  return fromReading(incoming, await readBody(request, MAX_ENDPOINT_BYTES), MAX_ENDPOINT_BYTES);
}

async function receiveForm(
  request: IncomingMessage,
  incoming: Omit<Incoming, 'body' | 'refusal'>,
  { publicUrl, host, baseURL }: UrlContext,
): Promise<Incoming> {
  const { headers } = request;
  const source = { origin: headers.origin, secFetchSite: secFetchSite(request), host };
  if (!isOwnAction(source, publicUrl)) return refuse(incoming, { status: 403, code: 'crossSiteForm' });
  const type = mediaType(headers['content-type']);
  if (type === FILE_FORM_TYPE && acceptsFiles(incoming.url, baseURL))
    return receiveStream(request, incoming, MAX_FILE_FORM_BYTES);
  if (type === JSON_TYPE && acceptsJson(incoming.url, baseURL))
    return receiveStream(request, incoming, MAX_JSON_BYTES);
  if (type !== FORM_TYPE)
    return refuse(incoming, { status: 415, code: 'unsupportedFormType', value: FORM_TYPE });
  const limit = isOfAdminArea(incoming.url, baseURL) ? MAX_ADMIN_FORM_BYTES : MAX_FORM_BYTES;
  return fromReading(incoming, await readBody(request, limit), limit);
}

function isOfAdminArea(url: string, baseURL: string): boolean {
  return new URL(url).pathname.startsWith(`${baseURL}admin/`);
}

function acceptsFiles(url: string, baseURL: string): boolean {
  const { pathname, searchParams } = new URL(url);
  return pathname === baseURL && searchParams.has(FILES_PARAMETER);
}

function acceptsJson(url: string, baseURL: string): boolean {
  const { pathname } = new URL(url);
  return pathname.startsWith(baseURL) && JSON_ROUTES.has(pathname.slice(baseURL.length));
}

/** Rejects by `content-length` if possible, before the body is sent. */
function receiveStream(
  request: IncomingMessage,
  incoming: Omit<Incoming, 'body' | 'refusal'>,
  limit: number,
): Incoming {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return fromReading(incoming, { kind: 'too-large' }, limit);
  return { ...incoming, body: streamBody(request, limit), refusal: undefined };
}

function fromReading(
  incoming: Omit<Incoming, 'body' | 'refusal'>,
  body: BodyResult,
  limit: number,
): Incoming {
  if (body.kind === 'too-large') {
    return refuse(incoming, { status: 413, code: 'formTooLarge', value: String(limit / 1024) });
  }
  return { ...incoming, body: body.bytes, refusal: undefined };
}

function refuse(incoming: Omit<Incoming, 'body' | 'refusal'>, refusal: Refusal): Incoming {
  // The router supports few methods; a refused request only needs one with the same kind of response.
  const method = incoming.method === 'POST' || incoming.method === 'HEAD' ? incoming.method : 'GET';
  const url = URL.canParse(incoming.url) ? decodableUrl(incoming.url) : `${FALLBACK_ORIGIN}/`;
  return { ...incoming, method, url, body: undefined, refusal };
}

/** The base is the origin that the visitor used, which may differ from the public one. */
function findSite({ publicUrl, protocol, host }: UrlContext) {
  const isHttps = publicUrl === undefined ? protocol === 'https' : publicUrl.startsWith('https:');
  const base = `${isHttps ? 'https' : 'http'}://${host}`;
  const isUnknown = !isBareOrigin(base);
  const own = isUnknown ? FALLBACK_ORIGIN : base;
  return { isHttps, isUnknown, base: own, origin: publicUrl === undefined ? own : new URL(publicUrl).origin };
}

/**
 * A host header with a path, credentials or the like could turn a link in an email into one to another
 * site.
 */
function isBareOrigin(base: string): boolean {
  return /^https?:\/\/[^/?#@\\\s]+$/.test(base) && !base.endsWith('://undefined') && URL.canParse(base);
}

/**
 * Returns the path unchanged; `//host` stays a path. Undefined for `*` and other targets that are no path.
 */
function findPath(target: string | undefined): string | undefined {
  if (target?.startsWith('/')) return target;
  // RFC 9112 section 3.2.2: a server must accept the absolute form, too.
  if (target === undefined || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * Escapes in a path must be UTF-8 (RFC 3986 section 2.5, as URLs are written today). Returns the first
 * invalid one.
 */
function problemWithAddress(url: string): Pick<Refusal, 'code' | 'value'> | undefined {
  if (!URL.canParse(url)) return { code: 'invalidAddress' };
  const { pathname } = new URL(url);
  if (canDecode(pathname)) return undefined;
  const [sequence] = /%(?![\da-f]{2}).{0,2}/i.exec(pathname) ?? [];
  if (sequence !== undefined) return { code: 'invalidEscape', value: sequence };
  const runs = pathname.match(/(?:%[\da-f]{2})+/gi) ?? [];
  return {
    code: 'invalidEncoding',
    value: runs.find((run) => !canDecode(run))?.slice(0, MAX_SHOWN_ESCAPES) ?? '',
  };
}

function isDecodable(url: string): boolean {
  return problemWithAddress(url) === undefined;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the URL with the percent signs of invalid escapes escaped. */
function decodableUrl(address: string): string {
  if (isDecodable(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replaceAll('%', '%25');
  return url.href;
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

function secFetchSite(request: IncomingMessage): string | undefined {
  const value = request.headers['sec-fetch-site'];
  return Array.isArray(value) ? value.join() : value;
}
