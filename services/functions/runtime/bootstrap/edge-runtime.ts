/** The globals `EdgeRuntime` and `Supabase` of the hosted platform. */
import type { WriteLog } from './console.ts';
import { deno } from './deno.ts';
import { send } from './messages.ts';
import { createSession, type ModelOptions } from './models.ts';

/** Adds the globals. */
export function addGlobals(writeLog: WriteLog, models: ModelOptions | undefined): void {
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
  Object.assign(globalThis, { EdgeRuntime, Supabase: { ai: { Session: createSession(models) } } });
}
