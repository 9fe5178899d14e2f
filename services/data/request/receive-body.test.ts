import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from './body.ts';
import { MAX_UNAUTHORIZED_BYTES, receiveBody } from './receive-body.ts';

let server: Server;
/** The result for the last body. */
let received: Promise<Buffer>;
let onReceived: () => void;
let authorize: () => Promise<boolean>;
/** The number of authorization requests. */
let authorizations: number;

beforeEach(() => {
  authorizations = 0;
  authorize = async () => {
    authorizations += 1;
    return true;
  };
});

beforeAll(async () => {
  server = createServer((incoming, response) => {
    received = bodyOf(incoming);
    received.then(
      () => response.end(),
      () => response.writeHead(400, { connection: 'close' }).end(),
    );
    onReceived();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    receiveBody(incoming, { contentLength: incoming.headers['content-length'], authorize }, (error, body) =>
      error === null ? resolve(body as Buffer) : reject(error),
    );
  });
}

/** Begins a request. Resolves when the server has received its head. */
async function begin(headers: Record<string, string | number>) {
  const { port } = server.address() as AddressInfo;
  const isReceived = new Promise<void>((resolve) => {
    onReceived = resolve;
  });
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers });
  sent.on('error', () => {});
  sent.flushHeaders();
  await isReceived;
  return sent;
}

const bytes = (length: number) => Buffer.alloc(length, 'abc');

describe('receiveBody', () => {
  it.each([0, 1, 5000, 40_000, 300_000, MAX_BODY_BYTES])(
    'returns a body of %i bytes unchanged',
    async (length) => {
      const sent = await begin({ 'content-length': length });
      sent.end(bytes(length));
      expect(bytes(length).equals(await received)).toBe(true);
    },
  );

  it('joins chunks of any total length', async () => {
    const sent = await begin({});
    for (const length of [20_000, 3, 30_000]) {
      sent.write(bytes(length));
      await sleep(10);
    }
    sent.end();
    expect(Buffer.concat([bytes(20_000), bytes(3), bytes(30_000)]).equals(await received)).toBe(true);
  });

  it('rejects a body with a too large Content-Length before receiving it', async () => {
    await begin({ 'content-length': MAX_BODY_BYTES + 1 });
    await expect(received).rejects.toMatchObject({ code: 'PGRST102', status: 413 });
  });

  it('rejects a body when it exceeds the limit', async () => {
    const sent = await begin({});
    sent.write(bytes(MAX_BODY_BYTES));
    sent.write('x');
    await expect(received).rejects.toMatchObject({ code: 'PGRST102', status: 413 });
  });

  it('reports an incomplete body', async () => {
    const sent = await begin({ 'content-length': 1000 });
    sent.write(bytes(10));
    sent.destroy();
    await expect(received).rejects.toThrow('aborted');
  });

  it('requests authorization only for a large body', async () => {
    for (const length of [MAX_UNAUTHORIZED_BYTES, MAX_UNAUTHORIZED_BYTES + 1]) {
      const sent = await begin({});
      sent.end(bytes(length));
      expect((await received).length).toBe(length);
    }
    expect(authorizations).toBe(1);
  });

  it('receives nothing of a body that the authorization rejects by its Content-Length', async () => {
    authorize = async () => {
      throw new Error('not for you');
    };
    await begin({ 'content-length': MAX_UNAUTHORIZED_BYTES + 1 });
    await expect(received).rejects.toThrow('not for you');
  });

  it('stops receiving a chunked body that the authorization rejects when it becomes large', async () => {
    authorize = async () => {
      throw new Error('not for you');
    };
    const sent = await begin({});
    sent.write(bytes(MAX_UNAUTHORIZED_BYTES + 1));
    await expect(received).rejects.toThrow('not for you');
  });

  it('ignores a large body if the authorization returns false', async () => {
    authorize = async () => false;
    const sent = await begin({ 'content-length': MAX_UNAUTHORIZED_BYTES + 1 });
    expect((await received).length).toBe(0);
    sent.end(bytes(MAX_UNAUTHORIZED_BYTES + 1));
  });
});
