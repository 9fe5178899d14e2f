/** Sends one request, follows redirects, and reads the response within limits. */
import { PrivateAddressError } from '@greenroom/network';
import type { AddressRules } from './address-rules.ts';
import { type Destination, destinationOf, RefusedAddressError } from './destination.ts';
import { failureMessage, isConnectionRefused } from './failure.ts';
import type { OwnApi } from './own-api.ts';
import { createPhaseTimes, type PhaseTimes, timeoutMessage } from './phase-times.ts';
import { MAX_HEADER_BYTES, MAX_REQUEST_BYTES } from './queue.ts';
import { afterRedirect, type CurrentRequest, isRedirect } from './redirect.ts';
import type { Outcome, QueuedRequest, SendRequest } from './request.ts';
import { readResponse } from './response.ts';
import { createTransport, type TransportResponse } from './transport.ts';
import type { SignWebhook } from './webhook-signer.ts';

/** A limit for requests whose timeout is 0 or longer. */
const MAX_TIMEOUT_MS = 10 * 60_000;
const MAX_REDIRECTS = 10;
const USER_AGENT = 'pg_net/0.20.0';
/** Set by the connection itself. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Options of {@link createSender}. */
export interface SenderOptions {
  rules: AddressRules;
  own: OwnApi;
  /** Returns the certificate of the instance in PEM; undefined without HTTPS. */
  certificate: () => Promise<string | undefined>;
  maxResponseBytes: number;
  /** Signs requests of webhooks. */
  sign: SignWebhook;
}

/** Nothing was sent, because the request has a fault. */
class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
}

/** Creates the function that sends requests. */
export function createSender(options: SenderOptions): SendRequest {
  const transport = createTransport(options);
  const { maxResponseBytes, sign } = options;

  async function exchange(request: QueuedRequest, signal: AbortSignal, phases: PhaseTimes): Promise<Outcome> {
    let current: CurrentRequest = firstRequest(request, sign);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const destination = destinationOf(current.url, options);
      const response = await sendTo(destination, current, { signal, phases });
      if (response === undefined) return { kind: 'not-sent' };
      const next = isRedirect(response) ? afterRedirect(current, response) : undefined;
      if (next === undefined) return readResponse(response, maxResponseBytes);
      response.body.destroy();
      current = next;
    }
    return { kind: 'error', message: 'Number of redirects hit maximum amount' };
  }

  /** Returns undefined if the instance itself does not listen. */
  async function sendTo(
    destination: Destination,
    { method, headers, body }: CurrentRequest,
    attempt: { signal: AbortSignal; phases: PhaseTimes },
  ): Promise<TransportResponse | undefined> {
    try {
      return await transport(destination, { method, headers: headers.flat(), body, ...attempt });
    } catch (error) {
      if (destination.kind === 'own' && isConnectionRefused(error)) return undefined;
      if (error instanceof PrivateAddressError) throw new RefusedAddressError(destination.url);
      throw error;
    }
  }

  return async (request, stop) => {
    const limitMs = request.timeoutMs > 0 ? Math.min(request.timeoutMs, MAX_TIMEOUT_MS) : MAX_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(limitMs);
    const phases = createPhaseTimes();
    try {
      return await exchange(request, AbortSignal.any([stop, timeout]), phases);
    } catch (error) {
      if (timeout.aborted) return { kind: 'timeout', message: timeoutMessage(limitMs, phases.read()) };
      if (error instanceof InvalidRequestError)
        return { kind: 'error', message: error.message, isInvalidRequest: true };
      const kind = error instanceof RefusedAddressError ? 'refused' : 'error';
      return { kind, message: failureMessage(error) };
    }
  };
}

/** Throws {@link InvalidRequestError} with the limit if the request exceeds one. */
function firstRequest(
  { method, url, headers, body, webhook }: QueuedRequest,
  sign: SignWebhook,
): CurrentRequest {
  if (headers === undefined)
    throw new InvalidRequestError(`The headers have more than ${MAX_HEADER_BYTES} bytes`);
  if (body === undefined) throw new InvalidRequestError(`The body has more than ${MAX_REQUEST_BYTES} bytes`);
  const target = new URL(url);
  const signature = webhook === undefined ? {} : sign(webhook.id, body ?? new Uint8Array());
  const list = headerList({ ...basicAuthorization(target), ...headers }, signature);
  return { method: method.toUpperCase(), url: target, headers: list, body };
}

/** Returns the header for the user and the password of a URL, and removes them from it. */
function basicAuthorization(url: URL): Record<string, string> {
  if (url.username === '') return {};
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { Authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/**
 * Returns the headers as texts, as pg_net does: members without a value are left out.
 * @param signature headers of a webhook; none is sent if the request has one of them
 */
function headerList(
  headers: Readonly<Record<string, unknown>>,
  signature: Readonly<Record<string, string>>,
): [string, string][] {
  const given = Object.entries(headers)
    .filter(([name, value]) => value !== null && !CONNECTION_HEADERS.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  for (const [name, value] of given) requireValid(name, value);
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const signed = Object.entries(signature);
  const defaults: [string, string][] = [
    ['Accept', '*/*'],
    ['User-Agent', USER_AGENT],
  ];
  return [
    ...given,
    ...(signed.some(([name]) => names.has(name)) ? [] : signed),
    ...defaults.filter(([name]) => !names.has(name.toLowerCase())),
  ];
}

/** Line breaks would add headers. */
function requireValid(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters, which are refused
  if (HEADER_NAME.test(name) && !/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return;
  throw new InvalidRequestError(`The header ${JSON.stringify(name.slice(0, 100))} is not valid`);
}
