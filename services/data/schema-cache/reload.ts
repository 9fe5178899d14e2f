/**
 * Keeps a schema cache up to date: loads it, listens for notifications of schema changes, and reloads it. The old cache
 * stays in use until the new one has been loaded, also if loading keeps failing.
 */
import type { Logger } from '@greenroom/log';
import type { ChannelSubscriber, Database, Subscription } from '@greenroom/postgres';
import { createDebounce } from './debounce.ts';
import { loadSchemaCache, type SchemaCacheSettings } from './load.ts';
import type { SchemaCache } from './schema-cache.ts';

/** Payloads that trigger a reload of schema and settings. Other payloads are ignored. */
const PAYLOADS: readonly string[] = ['', 'reload schema', 'reload config'];
/** Migrations send one notification per statement, so reloads are debounced. */
const MIN_INTERVAL_MS = 100;
const INITIAL_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 32_000;

/** Options of {@link createSchemaCacheReloader}. */
export interface ReloaderOptions {
  /** A connection as the login role of the service. */
  database: Database;
  /** Subscribes to a channel of the same database. */
  listen: (channel: string, subscriber: ChannelSubscriber) => Subscription;
  /** Channel for `notify pgrst, 'reload schema'`; undefined disables listening. */
  channel: string | undefined;
  /** Called before each load. */
  settings: () => SchemaCacheSettings | Promise<SchemaCacheSettings>;
  /** Called with each new cache, including the first. Must not throw. */
  onReload?: (cache: SchemaCache) => void;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Delay before the first retry of a load, in milliseconds; it doubles with each failure. 1000 by default. */
  initialDelayMs?: number;
  /** Minimum time between the starts of two loads, in milliseconds; 100 by default. */
  minIntervalMs?: number;
}

/** Keeps a schema cache up to date. */
export interface SchemaCacheReloader {
  /** Returns the current cache; undefined until the first one has been loaded. */
  current(): SchemaCache | undefined;
  /** Requests a reload, as a notification does. */
  reload(): void;
  /** Stops listening and loading. Resolves when the current load has ended. */
  close(): Promise<void>;
}

/** Starts loading and listening. Calls `onReload` when the first cache has been loaded. */
export function createSchemaCacheReloader(options: ReloaderOptions): SchemaCacheReloader {
  const {
    database,
    logger,
    initialDelayMs = INITIAL_RETRY_DELAY_MS,
    minIntervalMs = MIN_INTERVAL_MS,
  } = options;
  let cache: SchemaCache | undefined;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function load(): Promise<void> {
    clearTimeout(retry);
    try {
      const settings = await options.settings();
      const loaded = await loadSchemaCache(database, {
        ...settings,
        generation: (cache?.generation ?? 0) + 1,
      });
      if (isClosed) return;
      cache = loaded;
      failures = 0;
      logger.info(summaryOf(loaded), 'schema cache loaded');
      options.onReload?.(loaded);
    } catch (error) {
      if (!isClosed) retryLater(error);
    }
  }

  function retryLater(error: unknown): void {
    const pauseMs = Math.min(initialDelayMs * 2 ** failures, MAX_RETRY_DELAY_MS);
    failures += 1;
    logger.error(
      { err: error, pauseMs, generation: cache?.generation },
      'loading the schema cache failed; it is retried',
    );
    retry = setTimeout(debounce.request, pauseMs);
  }

  const debounce = createDebounce(load, minIntervalMs);
  const listenTo = (channel: string) =>
    options.listen(channel, {
      onNotification: (payload) => {
        if (isReloadRequest(payload)) debounce.request();
      },
      // A load that started before listening may have missed a change.
      onListening: debounce.request,
      onLost: (error, pauseMs) => {
        logger.warn(
          { err: error, pauseMs },
          'notifications of schema changes are not received; reconnecting',
        );
        if (cache === undefined) debounce.request();
      },
    });
  const subscription = options.channel === undefined ? undefined : listenTo(options.channel);
  if (subscription === undefined) debounce.request();

  return {
    current: () => cache,
    reload: debounce.request,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      subscription?.close();
      await debounce.close();
    },
  };
}

/** Whether a notification requests a reload. */
export function isReloadRequest(payload: string): boolean {
  return PAYLOADS.includes(payload);
}

function summaryOf(cache: SchemaCache): Record<string, number> {
  return {
    generation: cache.generation,
    relations: cache.relations.size,
    relationships: [...cache.relationships.values()].flat().length,
    functions: cache.functions.size,
  };
}
