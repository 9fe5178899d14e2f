/** HTTP as a well-behaved client uses it: kept connections, one client address per person, a time limit. */
import { Agent, type IncomingMessage, request } from 'node:http';

/** After this time a client gives up. */
export const PATIENCE_MS = 10_000;

/** One request. */
interface Question {
  address: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object | Buffer | string;
  /** Statuses of success; 200 where absent. */
  expects?: readonly number[];
}

/** An answer of an expected status. */
interface Reply {
  text: string;
  headers: IncomingMessage['headers'];
}

/** Asks one server. Throws for another status, a broken connection and a late answer. */
export type Ask = (question: Question) => Promise<Reply>;

/** Prepares to ask the server at `url`. */
export function createAsk(url: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return (question) =>
    askOnce(url, agent, question).catch((error: NodeJS.ErrnoException) => {
      // The server has just closed a kept connection. Browsers send such a request once more, too.
      if (error.code === STALE) return askOnce(url, agent, question);
      throw error;
    });
}

const STALE = 'STALE_CONNECTION';

function askOnce(url: string, agent: Agent, question: Question): Promise<Reply> {
  const { address, body, path, expects = [200] } = question;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const method = question.method ?? (body === undefined ? 'GET' : 'POST');
  const headers = { ...(isJson && { 'content-type': 'application/json' }), ...question.headers };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const fail = (reason: string, code?: string) => {
      reject(Object.assign(new Error(reason), { code }));
    };
    const asking = request(
      url + path,
      { agent, method, headers, localAddress: address, signal } as object,
      (answer: IncomingMessage) => {
        let text = '';
        answer.setEncoding('latin1');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('error', (error) => fail(reasonOf(error)));
        answer.on('end', () => {
          const { statusCode = 0, headers } = answer;
          if (expects.includes(statusCode)) resolve({ text, headers });
          else fail(String(statusCode));
        });
      },
    );
    asking.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = asking.reusedSocket && error.code === 'ECONNRESET';
      fail(reasonOf(error), isStale ? STALE : undefined);
    });
    asking.end(isJson ? JSON.stringify(body) : body);
  });
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in 10 s';
  return error.code ?? error.message;
}
