/** The globals `EdgeRuntime` and `Supabase` of the hosted platform. */
import type { WriteLog } from './console.ts';
import { deno } from './deno.ts';
import { send } from './messages.ts';

/** Adds the globals. */
export function addGlobals(writeLog: WriteLog): void {
  let pending = 0;
  const settle = () => {
    pending -= 1;
    send({ type: 'pending', count: pending });
  };
  const fail = (error: unknown) => {
    writeLog('error', `EdgeRuntime.waitUntil: ${deno.inspect(error)}`);
    settle();
  };
  const EdgeRuntime = {
    /** Keeps the process until the promise has settled. */
    waitUntil(promise: unknown) {
      pending += 1;
      send({ type: 'pending', count: pending });
      Promise.resolve(promise).then(settle, fail);
      return promise;
    },
  };
  Object.assign(globalThis, { EdgeRuntime, Supabase: { ai: { Session } } });
}

/** Models are not part of Greenroom. */
class Session {
  constructor() {
    throw new Error(
      'Supabase.ai.Session is not available: no model runs here. Call the API of a model with fetch instead.',
    );
  }
}
