/** Obtains a certificate: an order, the proof that its names lead to this server, and the certificate (RFC 8555). */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCertificate, type ServerCertificate } from '@greenroom/tls';
import { createCertificateRequest } from './certificate-request.ts';
import { AcmeError, describeProblem, type Problem } from './errors.ts';
import { openSession, parseJson, type Session, type SessionOptions } from './session.ts';

/** Maximum duration of an order. */
const ORDER_TIMEOUT_MS = 300_000;
const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 5000;
/** Tokens are part of a path (RFC 8555 section 8.3). */
const TOKEN = /^[\w-]{1,256}$/;

/** The expected response to the challenge of each token (HTTP-01), while an order needs it. */
export type Challenges = Map<string, string>;

/** Options of {@link obtainCertificate}. */
export interface OrderOptions extends SessionOptions {
  domains: readonly string[];
  /** The responses that the server sends on port 80. */
  challenges: Challenges;
}

/** Obtains a certificate with a new key. Rejects with `AcmeError`, and with the reason of an aborted signal. */
export async function obtainCertificate(options: OrderOptions): Promise<ServerCertificate> {
  const timeout = AbortSignal.timeout(ORDER_TIMEOUT_MS);
  try {
    return await order(options, AbortSignal.any([options.signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || options.signal.aborted) throw error;
    throw new AcmeError(`the order has not finished within ${ORDER_TIMEOUT_MS / 60_000} minutes`, {
      cause: error,
    });
  }
}

async function order(options: OrderOptions, signal: AbortSignal): Promise<ServerCertificate> {
  const { domains, challenges } = options;
  await using session = await openSession({ ...options, signal });
  const identifiers = domains.map((value) => ({ type: 'dns', value }));
  const { location, text } = await session.post(session.newOrder, { identifiers });
  if (location === undefined) throw new AcmeError('the authority has created an order without a URL');
  for (const url of parseOrder(text).authorizations) await authorize(url, { session, challenges, signal });

  const ready = await poll(session, location, ['pending'], signal);
  const { finalize } = parseOrder(ready);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const csr = createCertificateRequest(domains, keys).toString('base64url');
  await session.post(finalize, { csr });
  const { certificate } = parseOrder(
    await poll(session, location, ['pending', 'ready', 'processing'], signal),
  );
  if (certificate === undefined)
    throw new AcmeError('the authority has finished the order without a certificate');
  const cert = (await session.get(certificate)).text;
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  requireCertificateOf(cert, domains, keys.privateKey);
  return { cert, key };
}

interface Authorizing {
  session: Session;
  challenges: Challenges;
  signal: AbortSignal;
}

/** Proves that one name leads to this server, unless the authority still has an earlier proof. */
async function authorize(url: string, { session, challenges, signal }: Authorizing): Promise<void> {
  const { status, challenge, domain } = parseAuthorization((await session.get(url)).text);
  if (status === 'valid') return;
  if (challenge === undefined) throw new AcmeError(`the authority offers no check over HTTP for ${domain}`);
  challenges.set(challenge.token, `${challenge.token}.${session.thumbprint}`);
  try {
    await session.post(challenge.url, {});
    await poll(session, url, ['pending'], signal);
  } finally {
    challenges.delete(challenge.token);
  }
}

/** Fetches an order or authorization until it has another status. Throws AcmeError if that is no success. */
async function poll(
  session: Session,
  url: string,
  waiting: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 2, MAX_POLL_MS)) {
    const { text, retryAfterMs } = await session.get(url);
    const { status } = parseJson(text) ?? {};
    if (status === 'ready' || status === 'valid') {
      if (!waiting.includes(status)) return text;
    } else if (typeof status !== 'string' || !waiting.includes(status)) throw failureOf(text);
    await sleep(Math.min(retryAfterMs ?? delayMs, MAX_POLL_MS), undefined, { signal });
  }
}

/** Returns the reason of a failed order, or of the failed challenge of an authorization. */
function failureOf(text: string): AcmeError {
  const { status, error, challenges, identifier } = (parseJson(text) ?? {}) as {
    status?: unknown;
    error?: Problem;
    challenges?: readonly { error?: Problem }[];
    identifier?: { value?: string };
  };
  const problem = error ?? challenges?.find((challenge) => challenge.error)?.error;
  const subject = identifier?.value === undefined ? 'the order' : `the check of ${identifier.value}`;
  return new AcmeError(`${subject} has failed: ${problem ? describeProblem(problem) : `status ${status}`}`);
}

function parseOrder(text: string) {
  const { authorizations, finalize, certificate } = parseJson(text) ?? {};
  const isList = Array.isArray(authorizations) && authorizations.every((url) => typeof url === 'string');
  if (!isList || typeof finalize !== 'string') throw new AcmeError('the authority has sent an invalid order');
  return {
    authorizations: authorizations as readonly string[],
    finalize,
    certificate: typeof certificate === 'string' ? certificate : undefined,
  };
}

function parseAuthorization(text: string) {
  const { status, challenges, identifier } = (parseJson(text) ?? {}) as {
    status?: unknown;
    challenges?: readonly { type?: unknown; url?: unknown; token?: unknown }[];
    identifier?: { value?: unknown };
  };
  const { url, token } = challenges?.find(({ type }) => type === 'http-01') ?? {};
  const isUsable = typeof url === 'string' && typeof token === 'string' && TOKEN.test(token);
  return { status, domain: String(identifier?.value), challenge: isUsable ? { url, token } : undefined };
}

/** An authority with an error must not replace a certificate that works. */
function requireCertificateOf(pem: string, domains: readonly string[], key: KeyObject): void {
  const certificate = parseCertificate(pem);
  if (certificate === undefined) throw new AcmeError('the authority has sent no certificate');
  const missing = domains.filter((domain) => certificate.checkHost(domain) === undefined);
  if (!certificate.checkPrivateKey(key)) {
    throw new AcmeError('the authority has sent a certificate of another key');
  }
  if (missing.length > 0) {
    throw new AcmeError(`the authority has sent a certificate without ${missing.join(', ')}`);
  }
}
