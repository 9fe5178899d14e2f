/**
 * Requests over keep-alive connections with minimal client work, because the client shares the machine with the server.
 */
import { Agent, type IncomingMessage, request } from 'node:http';

/**
 * Sends a request to one server: GET without a body, POST of JSON with one. Resolves with the body; rejects unless the
 * status is 200.
 */
type Ask = (path: string, headers: Record<string, string>, body?: object) => Promise<string>;

/** Creates a client of the server at `url`. */
export function createAsk(url: string, connections: number): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (path, headers, body) =>
    new Promise((resolve, reject) => {
      const options = { agent, method: body ? 'POST' : 'GET', headers };
      const asking = request(url + path, options, (answer) => readText(answer, resolve, reject));
      asking.on('error', reject);
      asking.end(body && JSON.stringify(body));
    });
}

function readText(
  answer: IncomingMessage,
  resolve: (text: string) => void,
  reject: (error: Error) => void,
): void {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('error', reject);
  answer.on('end', () =>
    answer.statusCode === 200 ? resolve(text) : reject(new Error(`${answer.statusCode}: ${text}`)),
  );
}
