/** Uploads or downloads content over keep-alive connections. Each loop writes to its own object. */
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { loadInput, serveLoad } from '../measure/load-process.ts';

export interface TransferInput {
  direction: 'up' | 'down';
  /** URL of the object to read; for writing, the number of the loop is appended. */
  url: string;
  headers: Record<string, string>;
  bytes: number;
  concurrency: number;
}

const CHUNK = Buffer.alloc(64 * 1024, 'greenroom');
const { direction, url, headers, bytes, concurrency } = loadInput<TransferInput>();
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

serveLoad(concurrency, direction === 'up' ? put : get);

async function put(loop: number): Promise<void> {
  const sending = request(`${url}${loop}`, {
    agent,
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': bytes },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await send(sending);
  const [response] = await answered;
  await readAll(response);
}

async function send(sending: ClientRequest): Promise<void> {
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    const isFull = !sending.write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK);
    if (isFull) await once(sending, 'drain');
  }
  sending.end();
}

async function get(): Promise<void> {
  const pending = request(url, { agent, headers });
  pending.end();
  const [response] = (await once(pending, 'response')) as [IncomingMessage];
  const received = await readAll(response);
  if (received !== bytes) throw new Error(`${received} bytes instead of ${bytes}`);
}

async function readAll(response: IncomingMessage): Promise<number> {
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`the response has status ${response.statusCode}`);
  return received;
}
