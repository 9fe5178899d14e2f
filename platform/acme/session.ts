/** Signed requests to an authority (RFC 8555 section 6): its directory, an account, nonces and errors. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose';
import { Agent, request } from 'undici';
import { AcmeError, describeProblem, type Problem, typeOf } from './errors.ts';

const TIMEOUT_MS = 30_000;
/** Certificates and problems are smaller. */
const MAX_RESPONSE_BYTES = 256 * 1024;
/** URLs in messages are cut to this length. */
const MAX_URL_LENGTH = 200;
/** An authority may reject a nonce at any time, e.g. after a restart. */
const MAX_NONCE_RETRIES = 10;

/** Options of {@link openSession}. */
export interface SessionOptions {
  /** URL of the directory of the authority. */
  directory: string;
  /** Private key on the curve P-256. */
  accountKey: KeyObject;
  /** Address for messages of the authority. */
  email?: string | undefined;
  /** Certificates in PEM that verify the server of the authority. Default: those of Node.js. */
  authorities?: string | undefined;
  /** Name and version of this program. */
  userAgent: string;
  signal: AbortSignal;
}

/** A response without an error. */
interface AcmeResponse {
  /** URL of a created resource. */
  location: string | undefined;
  retryAfterMs: number | undefined;
  text: string;
}

/** An open account at an authority. */
export interface Session extends AsyncDisposable {
  /** URL for new orders. */
  newOrder: string;
  /** Thumbprint of the account key, a part of the response to challenges. */
  thumbprint: string;
  /** Sends a signed request. Rejects with `AcmeError`. */
  post(url: string, payload: object): Promise<AcmeResponse>;
  /** Fetches a resource by a signed request without a payload. Rejects with `AcmeError`. */
  get(url: string): Promise<AcmeResponse>;
}

/** The URLs of a directory that are used. */
type Directory = Record<'newNonce' | 'newAccount' | 'newOrder', string>;

/**
 * Reads the directory, and creates the account of a key, or finds it if it exists already. The account agrees to the terms
 * of the authority. Rejects with `AcmeError`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { directory, accountKey, email, authorities } = options;
  const agent = new Agent({
    ...(authorities !== undefined && { connect: { ca: authorities } }),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  try {
    const wire = createWire(agent, options);
    const urls = parseDirectory(await wire.send('GET', directory), directory);
    const jwk = await exportJWK(createPublicKey(accountKey));
    const sender = createSender(wire, urls.newNonce, accountKey);
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
    const account = await sender.send(urls.newAccount, { termsOfServiceAgreed: true, ...contact }, { jwk });
    if (account.location === undefined)
      throw new AcmeError(`${directory} has created an account without a URL`);
    const identity = { kid: account.location };
    return {
      newOrder: urls.newOrder,
      thumbprint: await calculateJwkThumbprint(jwk),
      post: (url, payload) => sender.send(url, payload, identity),
      get: (url) => sender.send(url, undefined, identity),
      [Symbol.asyncDispose]: () => agent.destroy(),
    };
  } catch (error) {
    await agent.destroy();
    throw error;
  }
}

/** A response of an authority. */
interface WireResponse extends AcmeResponse {
  status: number;
  nonce: string | undefined;
}

/** Sends single requests. */
interface Wire {
  /** Rejects with `AcmeError` if there is no response. */
  send(method: 'GET' | 'HEAD' | 'POST', url: string, body?: string): Promise<WireResponse>;
}

function createWire(agent: Agent, { userAgent, signal }: SessionOptions): Wire {
  return {
    async send(method, url, body) {
      requireHttps(url);
      const headers = {
        'user-agent': userAgent,
        ...(body !== undefined && { 'content-type': 'application/jose+json' }),
      };
      try {
        const options = { dispatcher: agent, method, headers, signal, ...(body !== undefined && { body }) };
        const { statusCode: status, headers: received, body: content } = await request(url, options);
        const text = await content.text();
        const headerOf = (name: string) => received[name]?.toString();
        return {
          status,
          text,
          nonce: headerOf('replay-nonce'),
          location: headerOf('location'),
          retryAfterMs: parseRetryAfter(headerOf('retry-after')),
        };
      } catch (cause) {
        signal.throwIfAborted();
        throw new AcmeError(`${new URL(url).origin} cannot be reached: ${reasonOf(cause)}`, { cause });
      }
    },
  };
}

/** The signer of a request: a new key, or a known account. */
type Identity = { jwk: JWK } | { kid: string };

function createSender(wire: Wire, newNonce: string, key: KeyObject) {
  let unused: string | undefined;

  async function takeNonce(): Promise<string> {
    const nonce = unused ?? (await wire.send('HEAD', newNonce)).nonce;
    unused = undefined;
    if (nonce === undefined) throw new AcmeError(`${newNonce} has sent no nonce`);
    return nonce;
  }

  async function attempt(
    url: string,
    payload: object | undefined,
    identity: Identity,
  ): Promise<WireResponse> {
    const header = { alg: 'ES256', nonce: await takeNonce(), url, ...identity };
    const text = payload === undefined ? '' : JSON.stringify(payload);
    const signed = await new FlattenedSign(Buffer.from(text)).setProtectedHeader(header).sign(key);
    const response = await wire.send('POST', url, JSON.stringify(signed));
    unused = response.nonce;
    return response;
  }

  return {
    async send(url: string, payload: object | undefined, identity: Identity): Promise<WireResponse> {
      for (let retries = 0; ; retries++) {
        const response = await attempt(url, payload, identity);
        if (response.status < 400) return response;
        const problem = parseProblem(response.text);
        if (problem === undefined || typeOf(problem) !== 'badNonce' || retries === MAX_NONCE_RETRIES) {
          throw failure(url, response, problem);
        }
      }
    },
  };
}

function parseDirectory({ status, text, retryAfterMs }: WireResponse, url: string): Directory {
  if (status !== 200) throw new AcmeError(`${url} has responded with status ${status}`, { retryAfterMs });
  const { newNonce, newAccount, newOrder } = parseJson(text) ?? {};
  if (typeof newNonce !== 'string' || typeof newAccount !== 'string' || typeof newOrder !== 'string') {
    throw new AcmeError(`${url} is no directory of an authority (RFC 8555 section 7.1.1)`);
  }
  return { newNonce, newAccount, newOrder };
}

/** The account key signs requests only to servers with a verified certificate. */
function requireHttps(url: string): void {
  if (URL.parse(url)?.protocol !== 'https:')
    throw new AcmeError(
      `the authority has sent the URL ${url.slice(0, MAX_URL_LENGTH)}, which is not https://`,
    );
}

function failure(
  url: string,
  { status, retryAfterMs }: WireResponse,
  problem: Problem | undefined,
): AcmeError {
  const { origin } = new URL(url);
  if (problem === undefined)
    return new AcmeError(`${origin} has responded with status ${status}`, { retryAfterMs });
  const type = typeOf(problem);
  return new AcmeError(`${origin} has refused a request: ${describeProblem(problem)}`, {
    type,
    retryAfterMs,
  });
}

function parseProblem(text: string): Problem | undefined {
  const { type } = parseJson(text) ?? {};
  return typeof type === 'string' ? (parseJson(text) as Problem) : undefined;
}

/** Returns the object of a JSON text; undefined for other texts. */
export function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses seconds or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
