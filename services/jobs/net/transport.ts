/** Connections to the destinations of requests. Loads undici. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LookupFunction } from 'node:net';
import { createLookup } from '@greenroom/network';
import { Agent, type Dispatcher, request } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { isDockerHost } from './allowed-host.ts';
import type { Destination } from './destination.ts';
import type { PhaseTimes } from './phase-times.ts';

/** Connections to one origin, of each kind of destination. */
const MAX_CONNECTIONS = 64;
const LOOPBACK = '127.0.0.1';

/** A request to send. Names of headers are in the order and case of the user. */
interface TransportRequest {
  method: string;
  headers: string[];
  body: Uint8Array | null;
  signal: AbortSignal;
  phases: PhaseTimes;
}

/** A response whose body has not been read. */
export interface TransportResponse {
  status: number;
  /** Names and values in turn, as the server sent them. */
  headers: string[];
  body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/** Sends requests. */
type Transport = (destination: Destination, options: TransportRequest) => Promise<TransportResponse>;

/** Options of {@link createTransport}. */
interface TransportOptions {
  rules: AddressRules;
  /** Returns the certificate of the instance in PEM; undefined without HTTPS. */
  certificate: () => Promise<string | undefined>;
}

/** The phases of the request that opens a connection. */
const opening = new AsyncLocalStorage<PhaseTimes>();

/** Creates a transport. Connections of checked destinations are never used for others, so none leads to a private address. */
export function createTransport({ rules, certificate }: TransportOptions): Transport {
  const checked = createAgent({ lookup: createLookup(rules.allowsAddress) });
  const allowed = createAgent({ lookup: lookupAllowed });
  let own: { pem: string | undefined; agent: Agent } | undefined;

  async function agentOf(kind: Destination['kind']): Promise<Agent> {
    if (kind === 'checked') return checked;
    if (kind === 'allowed') return allowed;
    const pem = await certificate();
    if (own === undefined || own.pem !== pem) own = { pem, agent: createOwnAgent(pem) };
    return own.agent;
  }

  return async ({ url, kind }, { method, headers, body, signal, phases }) => {
    phases.enter('handshake');
    const options = {
      dispatcher: (await agentOf(kind)).compose(reportStart(phases)),
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
      responseHeaders: 'raw' as const,
      // The signal limits the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    const response = await opening.run(phases, () => request(url, options));
    // With `raw`, undici returns a list.
    const received = response.headers as unknown as string[];
    // A body that is not read to its end reports that as an error.
    response.body.on('error', () => undefined);
    return { status: response.statusCode, headers: received, body: response.body };
  };
}

function createAgent({ lookup }: { lookup: LookupFunction }): Agent {
  return new Agent({ connections: MAX_CONNECTIONS, connect: { lookup: measured(lookup) } });
}

/** Enters the phase `http` when a connection begins to send the request. */
function reportStart(phases: PhaseTimes): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(...started) {
        phases.enter('http');
        handler.onRequestStart?.(...started);
      },
      onRequestUpgrade: (...upgraded) => handler.onRequestUpgrade?.(...upgraded),
      onResponseStart: (...response) => handler.onResponseStart?.(...response),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    });
}

/**
 * Adds the phase `dns` to a name resolution. A request that waits in a queue of undici may open its connection in the context of
 * another one, whose phase is `http` then and does not change.
 */
function measured(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    const phases = opening.getStore();
    if (phases?.current() === 'handshake') phases.enter('dns');
    lookup(hostname, options, (...result) => {
      if (phases?.current() === 'dns') phases.enter('handshake');
      callback(...result);
    });
  };
}

/** Trusts exactly the certificate of the instance: the address on its own machine is often not one of its names. */
function createOwnAgent(pem: string | undefined): Agent {
  if (pem === undefined) return new Agent({ connections: MAX_CONNECTIONS });
  return new Agent({
    connections: MAX_CONNECTIONS,
    connect: { ca: pem, allowPartialTrustChain: true, checkServerIdentity: () => undefined },
  });
}

/** Only Docker resolves its names for this machine. */
const lookupAllowed: LookupFunction = (hostname, options, callback) =>
  createLookup(() => true)(isDockerHost(hostname) ? LOOPBACK : hostname, options, callback);
