/** Validates the handshake of a socket: API key or token, protocol version and the limits of sockets. */
import { CatalogueError } from '@greenroom/errors';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Session, TokenReader } from '../authorize/token.ts';
import { failure } from '../errors.ts';
import type { Version } from '../frames/frame.ts';
import type { ClientOptions, SocketClient } from '../limits/client.ts';

/** After this many refused handshakes within a minute, an address receives 429 instead of the reason. */
const MAX_REFUSED = 100;
const REFUSED_WITHIN_MS = 60_000;
const REMEMBERED_ADDRESSES = 10_000;
const MAX_HEADER_LENGTH = 1000;

/** A valid handshake. */
export interface Handshake {
  version: Version;
  session: Session;
  /** JSON of the client's own `x-` headers, which policies read as `request.headers`. */
  headers: string;
  /** The client that limits count the socket against. Closed together with the connection. */
  client: SocketClient;
}

/** Identifies the client that limits count a socket against. */
export type ClientIdentity = Omit<ClientOptions, 'limits'>;

/** Options of {@link createHandshakeReader}. */
interface HandshakeOptions {
  readToken: TokenReader;
  readApiKey: ApiKeyReader;
  /** The token of clients without an API key; undefined if an API key is required. */
  keylessToken: string | undefined;
  /** Reserves one socket for a client. Throws an error of the catalogue if a limit is reached. */
  reserveSocket: (client: ClientIdentity) => SocketClient;
}

/** Validates a handshake. Rejects with an error of the catalogue. */
type HandshakeReader = (request: FastifyRequest) => Promise<Handshake>;

/** Creates a reader that counts the refused handshakes of each address. */
export function createHandshakeReader(options: HandshakeOptions): HandshakeReader {
  const refused = new LRUCache<string, number>({
    max: REMEMBERED_ADDRESSES,
    ttl: REFUSED_WITHIN_MS,
    noUpdateTTL: true,
  });

  return async (request) => {
    const address = request.clientAddress;
    try {
      return await readHandshake(request, options);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.status !== 401) throw error;
      const times = (refused.get(address) ?? 0) + 1;
      refused.set(address, times);
      // Only refused handshakes are limited: clients can share an address, and one must not lock out the others.
      throw times > MAX_REFUSED ? failure('ClientJoinRateLimitReached') : error;
    }
  };
}

async function readHandshake(request: FastifyRequest, options: HandshakeOptions): Promise<Handshake> {
  const query = request.query as Record<string, string | string[] | undefined>;
  const version = versionOf(first(query.vsn));
  const key = first(request.headers['x-api-key']) ?? first(query.apikey);
  const session = await options.readToken(await tokenOf(key, options)).catch((error: unknown) => {
    throw withoutSeconds(error);
  });
  const { clientAddress: address } = request;
  const client = options.reserveSocket({
    address,
    isCounted: isCounted(request, session),
    subject: session.subject,
  });
  return { version, session, headers: headersOf(request), client };
}

/** Sockets with the service key count against no client, unless `sb-forwarded-for` names the visitor. */
function isCounted(request: FastifyRequest, { role }: Session): boolean {
  const isService = role === 'service_role' && request.headers['sb-forwarded-for'] === undefined;
  return request.isCounted && !isService;
}

function versionOf(vsn: string | undefined): Version {
  if (vsn === undefined || vsn === '1.0.0') return '1.0.0';
  if (vsn === '2.0.0') return vsn;
  throw failure('UnsupportedVersion');
}

async function tokenOf(key: string | undefined, options: HandshakeOptions): Promise<string> {
  if (key === undefined) {
    if (options.keylessToken !== undefined) return options.keylessToken;
    throw failure('ApiKeyMissing');
  }
  if (!key.startsWith('sb_')) return key;
  const apiKey = await options.readApiKey(key);
  if (apiKey === undefined) throw failure('MalformedJWT');
  return apiKey.token;
}

/** Handshakes report an expired token without the number of seconds, unlike joins. */
function withoutSeconds(error: unknown): unknown {
  if (error instanceof CatalogueError && error.message.startsWith('Token has expired')) {
    return failure('InvalidJWTToken', { message: 'Token has expired' });
  }
  return error;
}

/** Returns JSON of the headers that begin with `x-`, without the API key and without long values. */
function headersOf({ headers }: FastifyRequest): string {
  const own = Object.entries(headers).filter(
    ([name, value]) =>
      name.startsWith('x-') &&
      name !== 'x-api-key' &&
      typeof value === 'string' &&
      value.length <= MAX_HEADER_LENGTH,
  );
  return JSON.stringify(Object.fromEntries(own));
}

function first(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text;
}
