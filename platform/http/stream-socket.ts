/** A connection within the process, over which a stream of HTTP/2 sends its request to the HTTP/1.1 server. */
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';

/** Both ends of the connection. */
interface StreamConnection {
  /** Has the fields of a socket that request handlers read; addresses are those of the connection with the stream. */
  server: Socket;
  client: Duplex;
}

/** Creates a connection in place of a stream of `carrier`. */
export function connectStream(carrier: Socket): StreamConnection {
  const [server, client] = duplexPair();
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = carrier;
  let bytesRead = 0;
  const push = server.push.bind(server);
  const countAndPush: Duplex['push'] = (chunk: Buffer | null) => {
    bytesRead += chunk?.length ?? 0;
    return push(chunk);
  };
  server.push = countAndPush;
  const fields = { remoteAddress, remotePort, remoteFamily, localAddress, localPort, encrypted: true };
  Object.assign(server, fields, { destroySoon: () => destroySoon(server) });
  Object.defineProperty(server, 'bytesRead', { get: () => bytesRead });
  // Destroying one end of a pair leaves the other one open. After an orderly end, the client still reads the response.
  server.once('close', () => {
    if (!server.writableFinished) client.destroy();
  });
  client.once('close', () => server.destroy());
  return { server: server as unknown as Socket, client };
}

/** As in Node.js's sockets: the other end receives everything that was written. */
function destroySoon(socket: Duplex): void {
  if (socket.writable) socket.end();
  if (socket.writableFinished) socket.destroy();
  else socket.once('finish', () => socket.destroy());
}
