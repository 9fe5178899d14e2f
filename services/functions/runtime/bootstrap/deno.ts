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

/** A pointer of the foreign function interface. */
export type Pointer = Record<never, never>;

/** A function of a library: types of its parameters and its result. */
interface ForeignFunction {
  parameters: readonly ('i32' | 'i64' | 'u64' | 'pointer')[];
  result: 'i32' | 'i64';
}

/** A library that was opened. */
interface DynamicLibrary<Name extends string> {
  symbols: Record<Name, (...parameters: (number | bigint | Pointer)[]) => number | bigint>;
  close(): void;
}

/** A client of `fetch` with separate connections. */
export type HttpClient = Record<never, never>;

interface DenoApi {
  env: { get(name: string): string | undefined; delete(name: string): void };
  serve(options: ServeOptions, handler: Handler): Server;
  upgradeWebSocket(request: Request, options?: unknown): { socket: WebSocket; response: Response };
  createHttpClient(options: {
    proxy: { transport: 'unix'; path: string };
    /** Whether requests may set the header `host`. */
    allowHost?: boolean;
  }): HttpClient;
  args: readonly string[];
  build: { arch: string };
  permissions: { revokeSync(descriptor: { name: 'ffi' }): { state: 'granted' | 'prompt' | 'denied' } };
  dlopen<Name extends string>(
    library: string,
    functions: Record<Name, ForeignFunction>,
  ): DynamicLibrary<Name>;
  UnsafePointer: {
    of(bytes: ArrayBuffer | Uint8Array): Pointer | null;
    value(pointer: Pointer): number | bigint;
  };
  inspect(value: unknown, options?: { depth?: number; colors?: boolean }): string;
  exit(code: number): never;
  stdin: { readable: ReadableStream<Uint8Array> };
  stdout: { writeSync(bytes: Uint8Array): number };
}

/** The global of the process. Functions may replace its members later: each module keeps the originals that it needs. */
export const deno = (globalThis as unknown as { Deno: DenoApi }).Deno;
