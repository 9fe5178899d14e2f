/** The reference for broadcasts: `ws` alone, which forwards each message to all other sockets. */
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    for (const other of server.clients) if (other !== socket) other.send(data, { binary: isBinary });
  });
});
server.on('listening', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`ready ws://127.0.0.1:${port}\n`);
});
