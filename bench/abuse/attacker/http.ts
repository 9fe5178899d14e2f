/** HTTP requests of attackers, from a chosen client address, with one concurrent request per socket. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext } from './attack.ts';

/** Prevents a busy loop while the server refuses connections. */
const PAUSE_AFTER_ERROR_MS = 20;
const MAX_REQUESTS = 200_000;

/** A request of an attack. */
export interface AttackRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Client address; that of the attacker by default. */
  address?: string;
}

/** A response with its body. */
interface AttackResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Options of {@link flood}. */
interface FloodOptions {
  /** Number of concurrent requests, each on a separate connection. */
  sockets: number;
  /** Total number of requests; {@link MAX_REQUESTS} by default. */
  maxRequests?: number;
  /** Returns the next request. @param index number of the request, from 0 */
  request(index: number): AttackRequest;
  /** Returns the label to count a response by; its status by default. */
  labelOf?(response: AttackResponse): string | number;
}

/** Sends requests from all sockets until the attack is over, and counts the responses by label. */
export async function flood(context: AttackContext, options: FloodOptions): Promise<void> {
  const { sockets, maxRequests = MAX_REQUESTS, request, labelOf } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  let index = 0;
  const loop = async () => {
    while (!context.signal.aborted && index < maxRequests) {
      const next = request(index++);
      try {
        const response = await send(context, next, { agent, keepsText: labelOf !== undefined });
        context.tally.count(labelOf?.(response) ?? response.status);
      } catch (error) {
        if (context.signal.aborted) break;
        context.tally.count(errorLabel(error));
        await sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: sockets }, loop));
  agent.destroy();
}

/** Sends one request and reads the whole response. Rejects when the attack is over. */
export function send(
  context: AttackContext,
  { method, path, headers = {}, body, address = context.address }: AttackRequest,
  { agent, keepsText = true }: { agent?: Agent; keepsText?: boolean } = {},
): Promise<AttackResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: agent ?? false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      localAddress: address,
      signal: context.signal,
    };
    const sending = httpRequest(context.url + path, options as object, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (keepsText) text += chunk.toString('utf8');
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Returns a short label of a connection error. */
export function errorLabel(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message ?? 'error';
}

/** Returns headers of a JSON request as an anonymous client, or as an account. */
export function apiHeaders(context: AttackContext, accessToken?: string): Record<string, string> {
  return {
    apikey: context.anonKey,
    'content-type': 'application/json',
    authorization: `Bearer ${accessToken ?? context.anonKey}`,
  };
}
