/**
 * Runs in the process of a function, before the function: prepares the globals, and serves its handler. It ends with the
 * server that started it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { confine } from './confine.ts';
import { replaceConsole } from './console.ts';
import { deno } from './deno.ts';
import { addGlobals } from './edge-runtime.ts';
import { send } from './messages.ts';
import type { ModelOptions } from './models.ts';
import { replaceFetch } from './own-api.ts';
import { replaceServe } from './serve.ts';
import { replaceTemporaryFolder } from './temporary-folder.ts';

/** The value of the variable `GREENROOM_FUNCTION`, as JSON. */
export interface BootstrapOptions {
  /** URL of the function's module. */
  entry: string;
  /** Path of the Unix socket on which the handler is served. */
  socket: string;
  /** Path of the Unix socket that leads to the API of the instance. */
  apiSocket: string;
  /** Origins that mean the instance. */
  apiOrigins: readonly string[];
  /** The host of models; undefined if the server has none. */
  models?: ModelOptions | undefined;
  /** Whether the function may have a server of `node:http`. */
  hasNodeServer: boolean;
  /** Whether the process ends as soon as its modules have run. */
  isWarmUp: boolean;
  /** Filter of system calls, in base64; undefined on systems without one. */
  filter?: string | undefined;
}

/** Variables that Deno reads or sets; functions do not see them. */
const OWN_VARIABLES = [
  'DENO_DIR',
  'DENO_NODE_SHIM_ACTIVE',
  'DENO_NO_PACKAGE_JSON',
  'DENO_NO_UPDATE_CHECK',
  'GREENROOM_FUNCTION',
  'HOME',
  'JSR_URL',
  'NO_COLOR',
  'NPM_CONFIG_REGISTRY',
  'PATH',
];

const { exit, stdin } = deno;
const options = JSON.parse(deno.env.get('GREENROOM_FUNCTION') ?? '') as BootstrapOptions;
if (options.filter !== undefined) confine(options.filter);
const currentRequest = new AsyncLocalStorage<string>();
for (const name of OWN_VARIABLES) deno.env.delete(name);
const writeLog = replaceConsole(currentRequest);
addGlobals(writeLog, options.models);
replaceFetch(options.apiOrigins, options.apiSocket);
replaceTemporaryFolder(deno.env.get('TMPDIR') ?? '');
let isServed = false;
const onServe = () => {
  isServed = true;
  void followServer();
};
const server = replaceServe({ ...options, currentRequest, writeLog, onServe });
if (options.hasNodeServer) {
  const { replaceListen } = await import('./node-server.ts');
  replaceListen({ socket: options.socket, currentRequest, onServe });
}

// Loads no second instance: the module is the main module of the process.
globalThis.addEventListener('load', () => void serveModule());

async function serveModule(): Promise<void> {
  const module = (await import(options.entry)) as { default?: unknown };
  if (options.isWarmUp) exit(0);
  server.serveExport(module.default);
  if (isServed) return;
  fail('The function has no handler. Call Deno.serve(handler), or export default { fetch }.');
}

function fail(error: string): void {
  send({ type: 'failed', error });
  exit(1);
}

/**
 * Standard input has one line: the reason why the process will end soon. It ends when the server has ended. It is read only
 * once the function serves, because Deno runs the function when nothing else is pending.
 */
async function followServer(): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stdin.readable as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    const end = text.indexOf('\n');
    if (end < 0) continue;
    globalThis.dispatchEvent(new CustomEvent('beforeunload', { detail: { reason: text.slice(0, end) } }));
    text = text.slice(end + 1);
  }
  exit(0);
}
