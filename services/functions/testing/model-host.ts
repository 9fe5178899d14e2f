/** A host of models for tests: a server that speaks the protocols of OpenAI and Ollama, with fixed responses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request that arrived. */
interface ModelRequest {
  path: string;
  authorization: string | undefined;
  body: { model: string; stream?: boolean; [name: string]: unknown };
}

type Answer = (response: ServerResponse, request: ModelRequest) => void | Promise<void>;

const OPENAI_PARTS = ['Hel', 'lo'];

/** Responds to one kind of model each, by its name. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'chat/completions': (response, { body: { stream } }) => {
    if (!stream)
      return sendJson(response, { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (value: object) => response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
    response.write(': comment\n\n');
    for (const content of OPENAI_PARTS) event({ choices: [{ delta: { content }, finish_reason: null }] });
    event({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    event({ choices: [], usage: { total_tokens: 7 } });
    response.end('data: [DONE]\n\n');
  },
  embeddings: (response, { body: { model } }) =>
    sendJson(response, { data: [{ embedding: model === 'thenlper/gte-small' ? [3, 0, 4] : [1] }] }),
  generate: (response, { body: { stream } }) => {
    if (!stream) return sendJson(response, { response: 'Hello', done: true });
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    // A line in two parts.
    response.write('{"response":"Hel","done":false}\n{"respo');
    response.end('nse":"lo","done":false}\n{"response":"","done":true}\n');
  },
};

/** Models that fail, by their names. */
const FAILURES: Readonly<Record<string, Answer>> = {
  unknown: (response) => sendJson(response, { error: { message: 'model not found' } }, 404),
  'breaks-off': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}\n\n');
  },
  'fails-later': (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end('{"response":"Hel","done":false}\n{"error":"out of memory"}\n');
  },
  redirects: (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  silent: () => undefined,
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const timer = setInterval(() => response.write('{"response":"x","done":false}\n'), 20);
    response.once('close', () => clearInterval(timer));
  },
};

/** A running host. */
export class ModelHost implements AsyncDisposable {
  readonly url: string;
  readonly requests: ModelRequest[] = [];
  /** Names of models whose client left before the end of the response. */
  readonly abandoned: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#respond(request, response));
  }

  /** Starts a host. */
  static async open(): Promise<ModelHost> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ModelHost(server);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const body = (await json(request)) as ModelRequest['body'];
    const received = { path, authorization: headers.authorization, body };
    this.requests.push(received);
    response.once('close', () => {
      if (!response.writableFinished) this.abandoned.push(body.model);
    });
    const answer = FAILURES[body.model] ?? ANSWERS[path.replace(/^.*\/(?:v1|api)\//, '')];
    await answer?.(response, received);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
