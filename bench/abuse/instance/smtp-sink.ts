/** A mail server that accepts and counts every mail. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A running server that accepts and counts messages. */
export interface Sink {
  port: number;
  /** Returns the number of accepted messages. */
  count(): number;
  close(): void;
}

/** Starts the server on 127.0.0.1. It implements the part of SMTP (RFC 5321) that sending clients need. */
export async function startSmtpSink(): Promise<Sink> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serveMail(socket, () => {
      count += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serveMail(socket: Socket, onMail: () => void): void {
  let isContent = false;
  socket.write('220 sink\r\n');
  createInterface({ input: socket }).on('line', (line) => {
    if (isContent) {
      if (line !== '.') return;
      isContent = false;
      onMail();
      socket.write('250 accepted\r\n');
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    isContent = command === 'DATA';
    if (command === 'QUIT') socket.end('221 bye\r\n');
    else socket.write(isContent ? '354 go on\r\n' : '250 ok\r\n');
  });
}
