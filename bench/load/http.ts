/**
 * Requests over keep-alive connections with minimal client work, because the client shares the machine with the server.
 */
import { Agent, type IncomingMessage, request } from 'node:http';

/**
 * Sends a request to one server: GET without a body, POST of JSON with one. Resolves with the body; rejects unless the
 * status is 200.
 */
type Send = (path: string, headers: Record<string, string>, body?: object) => Promise<string>;

/** Creates a client of the server at `url`. */
export function createClient(url: string, connections: number): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (path, headers, body) =>
    new Promise((resolve, reject) => {
      const options = { agent, method: body ? 'POST' : 'GET', headers };
      const pending = request(url + path, options, (response) => readText(response, resolve, reject));
      pending.on('error', reject);
      pending.end(body && JSON.stringify(body));
    });
}

function readText(
  response: IncomingMessage,
  resolve: (text: string) => void,
  reject: (error: Error) => void,
): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', reject);
  response.on('end', () =>
    response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
  );
}
