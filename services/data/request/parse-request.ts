/**
 * The parse stage: converts the raw request to an {@link ApiRequest}. Parses syntax only: it does not resolve names or
 * convert values. Checks run in the order path, schema, method, query string, range, body; a request with several
 * errors reports the first.
 */

import { clientKeys, type FairQueue } from '@greenroom/limits';
import type { Query } from '../query/ast.ts';
import { readQuery, refuseArguments } from '../query/parse-query.ts';
import type { DataConfig } from '../settings/settings.ts';
import { parseAccept } from './accept.ts';
import { type Arguments, argumentsOf } from './arguments.ts';
import { type JsonBody, type QueuedReading, type RequestBody, readBody } from './body.ts';
import { type DataRequest, headerOf } from './data-request.ts';
import { type MediaType, parseMediaType } from './media-type.ts';
import { type Action, actionOf, type WriteKind } from './method.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import { chooseProfile, type Profile } from './profile.ts';
import { type RowRange, requireEmbedLimits, topLevelRange } from './range.ts';
import { parseRoute } from './route.ts';

/** A request after the parse stage. */
export type ApiRequest = ReadRequest | WriteRequest | CallRequest | DescribeRequest | OptionsRequest;

/** The properties of all requests. */
export interface RequestHead {
  http: DataRequest;
  profile: Profile;
  query: Query;
  /** All parameters of the URL, decoded and in order. */
  urlParameters: readonly (readonly [name: string, value: string])[];
  /** The range of the top-level rows: those of the relation or the function, not of embeds. */
  range: RowRange;
  preferences: Preferences;
  /** Media types of Accept, the most preferred first. */
  accepted: readonly MediaType[];
}

/** GET and HEAD of a relation. */
export interface ReadRequest extends RequestHead {
  kind: 'read';
  action: Extract<Action, { kind: 'read' }>;
}

/** POST, PATCH, PUT and DELETE of a relation. */
export interface WriteRequest extends RequestHead {
  kind: 'write';
  action: Extract<Action, { kind: WriteKind }>;
  /** Undefined for a delete. */
  rows: JsonBody | undefined;
}

/** A call of a function. */
export interface CallRequest extends RequestHead {
  kind: 'call';
  action: Extract<Action, { kind: 'call' }>;
  arguments: Arguments;
  /** The media type of the body; JSON if the request has no Content-Type. */
  contentType: MediaType;
}

/** GET and HEAD of the root: the OpenAPI document. */
export interface DescribeRequest extends RequestHead {
  kind: 'describe';
  action: Extract<Action, { kind: 'describe' }>;
}

/** OPTIONS of any path. */
export interface OptionsRequest extends RequestHead {
  kind: 'options';
  action: Extract<Action, { kind: 'options' }>;
}

type ParseConfig = Pick<DataConfig, 'schemas' | 'openApi' | 'transactionEnd' | 'allowsTimezone'>;

/**
 * Parses a request. Returns a promise only if the body is large: it is parsed in slices, in a queue shared by all clients.
 * @param account account of the caller, which identifies the client in the queue
 * @throws PGRST100, PGRST101, PGRST102, PGRST103, PGRST106, PGRST114, PGRST117, PGRST125, PGRST126, `QueueFullError`
 */
export function parseRequest(
  http: DataRequest,
  config: ParseConfig,
  account: string | undefined,
  bodyQueue: FairQueue,
): ApiRequest | Promise<ApiRequest> {
  const { action, profile } = parseTarget(http, config);
  const head = parseHead(http, config, action, profile);
  switch (action.kind) {
    case 'read':
      requireEmbedLimits(head.query);
      return { ...head, kind: 'read', action };
    case 'describe':
      return { ...head, kind: 'describe', action };
    case 'options':
      return { ...head, kind: 'options', action };
  }
  const { body: bytes } = http;
  const contentType = headerOf(http, 'content-type');
  const queued = (): QueuedReading => ({
    queue: bodyQueue,
    keys: queueKeys(http, account),
    signal: http.signal,
  });
  const body = readBody({ action, contentType, bytes, columns: head.query.columns }, queued);
  if (body instanceof Promise) return body.then((read) => withBody(head, action, contentType, read));
  return withBody(head, action, contentType, body);
}

/**
 * Parses the action and the schema, which need only the request line and the profile headers.
 * @throws PGRST101, PGRST106, PGRST117, PGRST125, PGRST126
 */
export function parseTarget(
  http: Pick<DataRequest, 'method' | 'path' | 'headers'>,
  { schemas, openApi }: Pick<ParseConfig, 'schemas' | 'openApi'>,
): { action: Action; profile: Profile } {
  const { method, path } = http;
  const route = parseRoute(path, { openApiMode: openApi.mode, rootFunction: openApi.rootFunction });
  const profiles = {
    acceptProfile: headerOf(http, 'accept-profile'),
    contentProfile: headerOf(http, 'content-profile'),
  };
  const profile = chooseProfile(method, profiles, schemas);
  return { action: actionOf(route, method), profile };
}

function parseHead(http: DataRequest, config: ParseConfig, action: Action, profile: Profile): RequestHead {
  const { query, urlParameters } = readQuery(http.queryString);
  // A call by POST has its arguments in the body.
  const acceptsArguments = action.kind === 'call' && action.method !== 'POST';
  if (!acceptsArguments) refuseArguments(query);
  return {
    http,
    profile,
    query,
    urlParameters,
    range: topLevelRange({ method: http.method, range: headerOf(http, 'range'), query }),
    preferences: parsePreferences(headerOf(http, 'prefer'), {
      transactionEnd: config.transactionEnd.allowsOverride,
      timezone: config.allowsTimezone,
    }),
    accepted: parseAccept(headerOf(http, 'accept')),
  };
}

function queueKeys({ clientAddress: address }: DataRequest, account: string | undefined): readonly string[] {
  return address === '' ? [] : clientKeys({ account, address });
}

function withBody(
  head: RequestHead,
  action: WriteRequest['action'] | CallRequest['action'],
  contentType: string | undefined,
  body: RequestBody | undefined,
): WriteRequest | CallRequest {
  if (action.kind !== 'call') return { ...head, kind: 'write', action, rows: rowsOf(body) };
  return {
    ...head,
    kind: 'call',
    action,
    arguments: argumentsOf(action, head.query.parameters, body),
    contentType: parseMediaType(contentType ?? 'application/json'),
  };
}

/** Returns the rows of a write: {@link readBody} has converted them to JSON from any media type. */
function rowsOf(body: RequestBody | undefined): JsonBody | undefined {
  if (body === undefined || body.kind === 'json') return body;
  throw new Error(`rows cannot be a ${body.kind}`);
}
