/** Stands for `http/server.ts` of Deno's former standard library. */
import { deno, type Handler } from '../deno.ts';

/** Options of the former `serve`. */
interface FormerOptions {
  port?: number;
  hostname?: string;
  onError?: (error: unknown) => unknown;
}

/** Serves the handler of the function. */
export function serve(handler: Handler, options: FormerOptions = {}): Promise<void> {
  const { onError } = options;
  return deno.serve({ ...(onError && { onError }) }, handler).finished;
}
