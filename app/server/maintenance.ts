/** Tasks that the app's server repeats; they require the service key. */
import type { PageOptions } from '../lib/page/page-options.ts';
import type { ServerTask } from '../lib/server-hooks.ts';

const INITIAL_DELAY_MS = 60_000;
const PICTURES_SECONDS = 600;

type MaintenanceOptions = Pick<PageOptions, 'apiUrl' | 'serviceRoleKey' | 'deletedAccounts' | 'log'>;

/** Delays in milliseconds instead of those of the tasks: before the first run, and between runs. */
interface MaintenanceTimes {
  initialDelayMs?: number;
  intervalMs?: number;
}

/**
 * Repeats the removal of the pictures of deleted accounts, and the tasks of a product. Returns a function that stops this, and
 * resolves when running tasks have ended.
 */
export function startMaintenance(
  options: MaintenanceOptions,
  tasks: readonly ServerTask[],
  times: MaintenanceTimes = {},
): () => Promise<void> {
  const { apiUrl, serviceRoleKey, log } = options;
  if (serviceRoleKey === undefined) return async () => {};
  const closing = new AbortController();
  const { signal } = closing;
  const stops = [...ownTasks(options), ...tasks].map((task) =>
    repeat({
      signal,
      initialDelayMs: times.initialDelayMs ?? Math.min(INITIAL_DELAY_MS, task.everySeconds * 1000),
      intervalMs: times.intervalMs ?? task.everySeconds * 1000,
      run: async () => {
        const client = await createServiceClient(apiUrl, serviceRoleKey, signal);
        await task.run({ client, signal });
      },
      onError: (error) => log.warn({ err: error, task: task.name }, 'a task of the pages failed'),
    }),
  );
  return async () => {
    closing.abort();
    await Promise.all(stops.map((stop) => stop()));
  };
}

function ownTasks({ deletedAccounts }: MaintenanceOptions): ServerTask[] {
  if (deletedAccounts === undefined) return [];
  const run: ServerTask['run'] = async ({ client }) => {
    const { removePicturesOfDeletedUsers } = await import('../features/avatar/remove-pictures.ts');
    await removePicturesOfDeletedUsers(client, deletedAccounts);
  };
  return [{ name: 'pictures of deleted accounts', everySeconds: PICTURES_SECONDS, run }];
}

interface Repetition {
  signal: AbortSignal;
  initialDelayMs: number;
  intervalMs: number;
  run(): Promise<void>;
  onError(error: unknown): void;
}

/** Returns a function that stops the timer, and resolves when a current run has ended. */
function repeat({ signal, initialDelayMs, intervalMs, run, onError }: Repetition): () => Promise<void> {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const runAfter = (ms: number) => {
    timer = setTimeout(() => {
      running = run()
        .catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        })
        .finally(() => {
          if (!signal.aborted) runAfter(intervalMs);
        });
    }, ms).unref();
  };
  runAfter(initialDelayMs);
  return () => {
    clearTimeout(timer);
    return running;
  };
}

async function createServiceClient(apiUrl: string, serviceRoleKey: string, closing: AbortSignal) {
  const { createClient } = await import('@supabase/supabase-js');
  return createClient(apiUrl, serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: signalOf(init, closing) }) },
  });
}

function signalOf(init: RequestInit | undefined, closing: AbortSignal): AbortSignal {
  return init?.signal ? AbortSignal.any([init.signal, closing]) : closing;
}
