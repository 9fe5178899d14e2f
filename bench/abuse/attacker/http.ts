/** HTTP requests of attackers: from a chosen client address, as many at once as an attack has sockets. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext } from './attack.ts';

/** Keeps a server that refuses connections from spinning the attacker. */
const PAUSE_AFTER_ERROR_MS = 20;
const MAX_REQUESTS = 200_000;

/** One request. */
export interface AttackRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Client address instead of the attacker's. */
  address?: string;
}

/** An answer with its body. */
interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Options of {@link flood}. */
interface FloodOptions {
  /** Requests at once, each on a connection of its own. */
  sockets: number;
  /** Requests in all; {@link MAX_REQUESTS} where absent. */
  maxRequests?: number;
  /** The next request. @param index of the request, from 0 */
  request(index: number): AttackRequest;
  /** The label to count an answer by; its status where absent. */
  labelOf?(answer: Answer): string | number;
}

/** Sends requests from all sockets until the attack is over, and counts the answers by status. */
export async function flood(at: AttackContext, options: FloodOptions): Promise<void> {
  const { sockets, maxRequests = MAX_REQUESTS, request, labelOf } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  let index = 0;
  const loop = async () => {
    while (!at.signal.aborted && index < maxRequests) {
      const next = request(index++);
      try {
        const answer = await send(at, next, { agent, keepsText: labelOf !== undefined });
        at.tally.count(labelOf?.(answer) ?? answer.status);
      } catch (error) {
        if (at.signal.aborted) break;
        at.tally.count(errorLabel(error));
        await sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: sockets }, loop));
  agent.destroy();
}

/** Sends one request and reads the whole answer. Rejects when the attack is over. */
export function send(
  at: AttackContext,
  { method, path, headers = {}, body, address = at.address }: AttackRequest,
  { agent, keepsText = true }: { agent?: Agent; keepsText?: boolean } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: agent ?? false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      localAddress: address,
      signal: at.signal,
    };
    const sending = httpRequest(at.url + path, options as object, (answer: IncomingMessage) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        if (keepsText) text += chunk.toString('utf8');
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** A short name of a connection's error. */
export function errorLabel(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message ?? 'error';
}

/** Headers of a JSON request as an anonymous client, or as an account. */
export function apiHeaders(at: AttackContext, accessToken?: string): Record<string, string> {
  return {
    apikey: at.anonKey,
    'content-type': 'application/json',
    authorization: `Bearer ${accessToken ?? at.anonKey}`,
  };
}
