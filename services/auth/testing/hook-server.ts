/** An HTTP endpoint of hooks, which verifies signatures, for tests. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConfigSource } from '@greenroom/config';
import { Webhook } from 'standardwebhooks';

/** A call of the endpoint. */
interface HookCall {
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into questions freely
  body: any;
  at: number;
}

/** The response. An object as body is sent as JSON. */
export interface HookReply {
  status?: number;
  headers?: Record<string, string>;
  body?: object | string | Buffer;
  /** Delay before the response. */
  afterMs?: number;
  /** Promise to wait for before the response. */
  after?: Promise<unknown>;
  /** Closes the connection instead of responding. */
  abortsResponse?: boolean;
}

/** A running endpoint. */
export interface HookServer {
  url: string;
  /** Received calls, oldest first. */
  calls: HookCall[];
  /** Determines responses; `{}` by default. */
  reply: (call: HookCall) => HookReply;
  /** The environment variables that connect a hook to this endpoint. */
  env(hook: string): ConfigSource;
  close(): Promise<void>;
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Starts an endpoint that has the second of the two configured secrets. */
export async function startHookServer(): Promise<HookServer> {
  const secrets = [newSecret(), newSecret()];
  const webhook = new Webhook(secrets[1] ?? '');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    try {
      const body = webhook.verify(text, request.headers as Record<string, string>);
      const call = { headers: request.headers, body, at: Date.now() };
      hooks.calls.push(call);
      await respond(response, hooks.reply(call));
    } catch {
      response.writeHead(401).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const hooks: HookServer = {
    url,
    calls: [],
    reply: () => ({ body: {} }),
    env: (hook) => ({
      [`GOTRUE_HOOK_${hook}_ENABLED`]: 'true',
      [`GOTRUE_HOOK_${hook}_URI`]: url,
      [`GOTRUE_HOOK_${hook}_SECRETS`]: secrets.map((secret) => `v1,${secret}`).join('|'),
    }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return hooks;
}

async function respond(response: ServerResponse, reply: HookReply): Promise<void> {
  const { status = 200, headers, body, afterMs = 0, after, abortsResponse } = reply;
  if (afterMs > 0) await new Promise((done) => setTimeout(done, afterMs));
  await after;
  if (abortsResponse) return void response.socket?.destroy();
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  response.writeHead(
    status,
    headers ?? (isJson ? { 'content-type': 'application/json; charset=utf-8' } : {}),
  );
  response.end(isJson ? JSON.stringify(body) : body);
}
