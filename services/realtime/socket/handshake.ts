/** Who may open a socket: the key in its URL, the version of the protocol, and how many there are already. */
import { CatalogueError } from '@greenroom/errors';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Session, TokenReader } from '../authorize/token.ts';
import { failure } from '../errors.ts';
import type { Version } from '../frames/frame.ts';
import type { ClientOptions, SocketClient } from '../limits/client.ts';

/** So many handshakes of one address are told what is wrong with them within a minute. */
const MAX_REFUSED = 100;
const REFUSED_WITHIN_MS = 60_000;
const REMEMBERED_ADDRESSES = 10_000;
const MAX_HEADER_LENGTH = 1000;

/** A handshake that is fine. */
export interface Handshake {
  version: Version;
  session: Session;
  /** JSON of the headers that clients make up, for `request.headers`. */
  headers: string;
  /** Limits of the client. Closed with the connection. */
  client: SocketClient;
}

/** Whom a socket counts against. */
export type ClientIdentity = Omit<ClientOptions, 'limits'>;

/** Options of {@link createHandshakeReader}. */
interface HandshakeOptions {
  readToken: TokenReader;
  readApiKey: ApiKeyReader;
  /** Token of those who have no key; undefined where they need one. */
  keylessToken: string | undefined;
  /** Makes room for another socket of a client. Throws an error of the catalogue where there is none. */
  admit: (client: ClientIdentity) => SocketClient;
}

/** Reads a handshake. Throws an error of the catalogue. */
type HandshakeReader = (request: FastifyRequest) => Promise<Handshake>;

/** Builds a reader that remembers who is refused all the time. */
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
      // Good ones are let in all the same: many may share an address, and nobody is to shut out the others.
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
  const client = options.admit({ address, isCounted: isCounted(request, session), subject: session.subject });
  return { version, session, headers: headersOf(request), client };
}

/** The service key is not counted, also in `x-api-key`, unless it names a visitor. */
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
  const meaning = await options.readApiKey(key);
  if (meaning === undefined) throw failure('MalformedJWT');
  return meaning.token;
}

/** Of a handshake it is only told that its token has expired. */
function withoutSeconds(error: unknown): unknown {
  if (error instanceof CatalogueError && error.message.startsWith('Token has expired')) {
    return failure('InvalidJWTToken', { message: 'Token has expired' });
  }
  return error;
}

/** Only those that begin with `x-`, and never the key. */
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
