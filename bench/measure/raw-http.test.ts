import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openConnection, requestWriter } from './raw-http.ts';

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n[1,2,3]';
const EMPTY = 'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n';

/** Starts a server that answers each request with the next list of pieces, and then closes the connection. */
async function startServer(...responses: string[][]) {
  /** For each request, whether the previous response had been sent completely. */
  const inTime: boolean[] = [];
  let hasResponded = true;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', async () => {
      inTime.push(hasResponded);
      hasResponded = false;
      const chunks = responses.shift();
      if (chunks === undefined) socket.end();
      for (const [i, chunk] of (chunks ?? []).entries()) {
        if (i > 0) await sleep(2);
        socket.write(chunk);
      }
      hasResponded = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, inTime, [Symbol.dispose]: () => server.close() };
}

it('waits for each whole response, regardless of how it is split', async () => {
  const cuts = [WITH_LENGTH, EMPTY, CHUNKED].flatMap((response) =>
    [1, 20, response.indexOf('\r\n\r\n') + 2, response.length - 3, response.length].map((at) => [
      response.slice(0, at),
      response.slice(at),
    ]),
  );
  using server = await startServer(...cuts.map((chunks) => chunks.filter((chunk) => chunk !== '')));
  const connection = openConnection(server.url);
  for (const _ of cuts) await connection.send('x');
  expect(server.inTime).toEqual(cuts.map(() => true));
  await expect(connection.send('x')).rejects.toThrow('the server closed the connection');
});

it('reconnects if the server has closed the connection after a response', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end(WITH_LENGTH)));
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => server.emit('left'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const time of [1, 2, 3]) {
    const left = once(server, 'left');
    await connection.send('x');
    expect(connections).toBe(time);
    await left;
    // Until this side has noticed the end as well.
    await sleep(20);
  }
  server.close();
});

it('rejects if it cannot reconnect', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.write(EMPTY)));
  server.listen(0, '127.0.0.1');
  const accepted = once(server, 'connection');
  await once(server, 'listening');
  const connection = openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await connection.send('x');
  const [socket] = await accepted;
  server.close();
  socket.resetAndDestroy();
  await once(server, 'close');
  await sleep(20);
  await expect(connection.send('x')).rejects.toThrow('ECONNREFUSED');
});

it('rejects a response without a success status', async () => {
  using server = await startServer(['HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nnone']);
  await expect(openConnection(server.url).send('x')).rejects.toThrow('404 Not Found');
});

it('formats requests', () => {
  expect(requestWriter('GET', { apikey: 'k' })('/a?b=c')).toBe(
    'GET /a?b=c HTTP/1.1\r\nhost: bench\r\napikey: k\r\n\r\n',
  );
  expect(requestWriter('POST', {})('/a', '"é"')).toBe(
    'POST /a HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n"é"',
  );
});
