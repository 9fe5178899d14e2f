/** A fetch for the server of an instance with HTTPS, which trusts exactly the certificate of that server. */
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ConnectionOptions } from 'node:tls';

/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 205, 304]);

/**
 * Creates a fetch that sends requests to the origin of `ownUrl` over HTTPS, and passes all others to the global fetch. It
 * accepts only a server with the key of `certificate`, whatever names that has: the address of the server on its own
 * machine is often not one of them. Redirects are not followed.
 * @param certificate returns the current certificate in PEM
 */
export function createPinnedFetch(ownUrl: string, certificate: () => string): typeof fetch {
  const { origin } = new URL(ownUrl);
  let pinned: { pem: string; agent: Agent } | undefined;

  function agentOf(pem: string): Agent {
    if (pinned?.pem !== pem) pinned = { pem, agent: createPinnedAgent(pem) };
    return pinned.agent;
  }

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) return fetch(input, init);
    const body = init?.body;
    const length = body instanceof Blob ? body.size : undefined;
    return send(new Request(input, init), length, agentOf(certificate()));
  };
}

/** Creates an agent for HTTPS requests that accepts only a server with the key of a certificate in PEM. */
export function createPinnedAgent(pem: string): Agent {
  return new Agent({ keepAlive: true, ...pinnedTo(pem) });
}

/** Returns the options of a TLS connection that accepts only a server with the key of a certificate in PEM. */
export function pinnedTo(pem: string): ConnectionOptions {
  const { raw: expected } = new X509Certificate(pem);
  return {
    ca: pem,
    // The certificate itself is trusted, also if an authority that is unknown here has signed it.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { raw }) =>
      raw.equals(expected) ? undefined : new Error('the server has another certificate than the instance'),
  };
}

/** Sends a request, and rejects like `fetch`. */
function send(request: Request, length: number | undefined, agent: Agent): Promise<Response> {
  const { method, signal, body } = request;
  const headers: Record<string, string> = { accept: '*/*', ...Object.fromEntries(request.headers) };
  if (length !== undefined) headers['content-length'] = String(length);
  return new Promise((resolve, reject) => {
    const sent = startRequest(request.url, { method, headers, agent, signal }, (response) =>
      resolve(toFetchResponse(response, method)),
    );
    sent.on('error', (cause) => reject(signal.aborted ? signal.reason : failedFetch(cause)));
    if (body === null) sent.end();
    // The listener above reports a failure.
    else pipeline(Readable.fromWeb(body as ReadableStream), sent).catch(() => undefined);
  });
}

function failedFetch(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

function toFetchResponse(response: IncomingMessage, method: string): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const init = { status, statusText, headers };
  if (method !== 'HEAD' && !NO_BODY.has(status)) {
    return new Response(Readable.toWeb(response) as BodyInit, init);
  }
  response.resume();
  return new Response(null, init);
}
