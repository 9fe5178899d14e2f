/** Whether a program of this machine listens on a port. */
import { connect } from 'node:net';

/** Resolves with true if 127.0.0.1 accepts a connection to the port. */
export function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
