/** Periodic maintenance by the app's server; requires the service key. */
import type { PageOptions } from '../lib/page/page-options.ts';

const INITIAL_DELAY_MS = 60_000;
const INTERVAL_MS = 600_000;

type MaintenanceOptions = Pick<PageOptions, 'apiUrl' | 'serviceRoleKey' | 'deletedAccounts' | 'home' | 'log'>;

/** Delays in milliseconds: before the first run, and between runs. */
interface MaintenanceTimes {
  initialDelayMs?: number;
  intervalMs?: number;
}

/**
 * Periodically removes the files of deleted accounts. Returns a function that stops this, and resolves when
 * a running removal has ended.
 */
export function startMaintenance(
  { apiUrl, serviceRoleKey, deletedAccounts, home, log }: MaintenanceOptions,
  { initialDelayMs = INITIAL_DELAY_MS, intervalMs = INTERVAL_MS }: MaintenanceTimes = {},
): () => Promise<void> {
  if (serviceRoleKey === undefined) return async () => {};
  const closing = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const runAfter = (ms: number) => {
    timer = setTimeout(() => {
      running = removeOnce({ apiUrl, serviceRoleKey, deletedAccounts, home }, closing.signal)
        .catch((error: unknown) => {
          if (!closing.signal.aborted)
            log.warn({ err: error }, 'files of deleted accounts could not be removed');
        })
        .finally(() => {
          if (!closing.signal.aborted) runAfter(intervalMs);
        });
    }, ms).unref();
  };
  runAfter(initialDelayMs);
  return () => {
    closing.abort();
    clearTimeout(timer);
    return running;
  };
}

async function removeOnce(
  {
    apiUrl,
    serviceRoleKey,
    deletedAccounts,
    home,
  }: Omit<MaintenanceOptions, 'log'> & { serviceRoleKey: string },
  closing: AbortSignal,
): Promise<void> {
  const { createClient } = await import('@supabase/supabase-js');
  const { removeFilesOfDeletedUsers, removePicturesOfDeletedUsers } = await import(
    '../features/files/deleted-users.ts'
  );
  const client = createClient(apiUrl, serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: signalOf(init, closing) }) },
  });
  if (deletedAccounts) await removePicturesOfDeletedUsers(client, deletedAccounts);
  if (home.kind === 'board') await removeFilesOfDeletedUsers(client);
}

function signalOf(init: RequestInit | undefined, closing: AbortSignal): AbortSignal {
  return init?.signal ? AbortSignal.any([init.signal, closing]) : closing;
}
