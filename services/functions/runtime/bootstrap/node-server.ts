/**
 * Lets a server of Node.js, e.g. that of Express, serve the requests of a function: it listens on the socket of the function
 * instead of a port. Loaded only if the function seems to have one, because loading `node:http` takes time.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, Server } from 'node:http';
import { ADDRESS_HEADER, REQUEST_HEADER, URL_HEADER } from './headers.ts';
import { send } from './messages.ts';

interface NodeServerOptions {
  /** Path of the Unix socket. */
  socket: string;
  currentRequest: AsyncLocalStorage<string>;
  /** Called when the function has a server. */
  onServe(): void;
}

/** Replaces `listen` of servers. */
export function replaceListen({ socket, currentRequest, onServe }: NodeServerOptions): void {
  const { listen } = Server.prototype;
  const emit: (this: Server, event: string, ...args: unknown[]) => boolean = Server.prototype.emit;
  let isTaken = false;
  Object.assign(Server.prototype, {
    listen(this: Server, ...args: unknown[]): Server {
      if (isTaken) throw new Error('listen was called before; a function has one server');
      isTaken = true;
      const onListen = args.findLast((value) => typeof value === 'function');
      onServe();
      return listen.call(this, { path: socket }, () => {
        send({ type: 'ready' });
        onListen?.call(this);
      });
    },
    emit(this: Server, event: string, ...args: unknown[]): boolean {
      const [request] = args as [IncomingMessage?];
      if (request === undefined || (event !== 'request' && event !== 'upgrade'))
        return emit.call(this, event, ...args);
      return currentRequest.run(withoutOwnHeaders(request), () => emit.call(this, event, ...args));
    },
  });
}

/** Removes the headers with which the server describes a request. Returns the id of the request. */
function withoutOwnHeaders({ headers }: IncomingMessage): string {
  const id = headers[REQUEST_HEADER];
  for (const name of [URL_HEADER, ADDRESS_HEADER, REQUEST_HEADER]) delete headers[name];
  return String(id);
}
