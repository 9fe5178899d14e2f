/**
 * Serves the handler of a function on a Unix socket, whichever way the function registers it: `Deno.serve` in all forms, or
 * a default export with `fetch`.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { WriteLog } from './console.ts';
import { deno, type Handler, type HandlerInfo, type ServeOptions, type Server } from './deno.ts';
import { ADDRESS_HEADER, REQUEST_HEADER, URL_HEADER } from './headers.ts';
import { send } from './messages.ts';

const { serve, upgradeWebSocket } = deno;

/** The handler of the process. */
interface FunctionServer {
  /** Serves `fetch` of a default export, unless the function called `Deno.serve`. */
  serveExport(exported: unknown): void;
}

const NO_SERVER: Server = {
  finished: new Promise(() => {}),
  shutdown: async () => {},
  addr: undefined,
  ref: () => {},
  unref: () => {},
};

interface ServerOptions {
  /** Path of the Unix socket. */
  socket: string;
  /** Whether handlers are not served. */
  isWarmUp: boolean;
  currentRequest: AsyncLocalStorage<string>;
  writeLog: WriteLog;
  /** Called when the function has registered its handler. */
  onServe(): void;
}

/** Replaces `Deno.serve` and `Deno.upgradeWebSocket`. */
export function replaceServe(options: ServerOptions): FunctionServer {
  const { socket, isWarmUp, currentRequest, writeLog, onServe } = options;
  /** The requests of Deno, which know their connection, by those that handlers receive. */
  const originals = new WeakMap<Request, Request>();
  let server: Server | undefined;

  function listen(handler: Handler, { onError, onListen }: ServeOptions): Server {
    if (server !== undefined) throw new Error('Deno.serve was called before; a function has one handler');
    if (isWarmUp) return NO_SERVER;
    server = serve(
      {
        path: socket,
        onListen: () => send({ type: 'ready' }),
        onError: (error) => respondTo(error, onError),
      },
      (original, info) => handle(handler, original, info),
    );
    onServe();
    onListen?.({ hostname: '0.0.0.0', port: 0, transport: 'tcp' });
    return server;
  }

  async function handle(handler: Handler, original: Request, info: HandlerInfo): Promise<unknown> {
    const { headers } = original;
    const id = headers.get(REQUEST_HEADER) ?? '';
    const address = { transport: 'tcp' as const, hostname: headers.get(ADDRESS_HEADER) ?? '', port: 0 };
    const request = new Request(headers.get(URL_HEADER) ?? original.url, original);
    for (const name of [URL_HEADER, ADDRESS_HEADER, REQUEST_HEADER]) request.headers.delete(name);
    originals.set(request, original);
    return currentRequest.run(id, () => handler(request, { remoteAddr: address, completed: info.completed }));
  }

  function respondTo(error: unknown, onError: ServeOptions['onError']): unknown {
    if (onError !== undefined) return onError(error);
    writeLog('error', deno.inspect(error));
    return new Response('Internal Server Error', { status: 500 });
  }

  Object.assign(deno, {
    serve(first: ServeOptions | Handler, second?: Handler) {
      const options = typeof first === 'function' ? {} : first;
      const handler = typeof first === 'function' ? first : (second ?? first.handler);
      if (typeof handler !== 'function') throw new TypeError('Deno.serve requires a handler');
      return listen(handler, options);
    },
    upgradeWebSocket: (request: Request, options?: unknown) =>
      upgradeWebSocket(originals.get(request) ?? request, options),
  });
  return {
    serveExport(exported) {
      const fetch = (exported as { fetch?: Handler } | undefined)?.fetch;
      if (server === undefined && typeof fetch === 'function') listen(fetch.bind(exported), {});
    },
  };
}
