/** The parts of Deno's API that the bootstrap uses. Deno itself is not typed in this repository. */

/** Address of a client, as handlers receive it. */
interface RemoteAddress {
  transport: 'tcp';
  hostname: string;
  port: number;
}

/** The second argument of a handler. */
export interface HandlerInfo {
  remoteAddr: RemoteAddress;
  completed: Promise<void>;
}

export type Handler = (request: Request, info: HandlerInfo) => unknown;

/** Options of `Deno.serve`. */
export interface ServeOptions {
  handler?: Handler;
  onError?: (error: unknown) => unknown;
  onListen?: (address: { hostname: string; port: number; transport: 'tcp' }) => void;
  path?: string;
}

/** The server that `Deno.serve` returns. */
export interface Server {
  finished: Promise<void>;
  shutdown(): Promise<void>;
  addr: unknown;
  ref(): void;
  unref(): void;
}

/** A client of `fetch` with separate connections. */
type HttpClient = Record<never, never>;

interface DenoApi {
  env: { get(name: string): string | undefined; delete(name: string): void };
  serve(options: ServeOptions, handler: Handler): Server;
  upgradeWebSocket(request: Request, options?: unknown): { socket: WebSocket; response: Response };
  createHttpClient(options: {
    proxy: { transport: 'unix'; path: string };
    /** Whether requests may set the header `host`. */
    allowHost: boolean;
  }): HttpClient;
  inspect(value: unknown, options?: { depth?: number; colors?: boolean }): string;
  exit(code: number): never;
  stdin: { readable: ReadableStream<Uint8Array> };
  stdout: { writeSync(bytes: Uint8Array): number };
}

/** The global of the process. Functions may replace its members later: each module keeps the originals that it needs. */
export const deno = (globalThis as unknown as { Deno: DenoApi }).Deno;
