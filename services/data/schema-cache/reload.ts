/**
 * Keeps a schema cache up to date: loads it, listens for the notice that the schema has changed, and loads it again.
 * The old one serves until there is a new one, and for good where none can be made.
 */
import type { Logger } from '@greenroom/log';
import { type Database, listen } from '@greenroom/postgres';
import { createDebounce } from './debounce.ts';
import { loadSchemaCache, type SchemaCacheSettings } from './load.ts';
import type { SchemaCache } from './schema-cache.ts';

/** What may be notified; anything else is meant for others. The settings are read anew with each of them. */
const PAYLOADS: readonly string[] = ['', 'reload schema', 'reload config'];
/** Migrations notify once for each statement. */
const MIN_INTERVAL_MS = 100;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 32_000;

/** Options of {@link createSchemaCacheKeeper}. */
export interface KeeperOptions {
  /** Login role of the service. */
  database: Database;
  /** URL of the same database, for the connection that listens. */
  listenUrl: string;
  /** Where `notify pgrst, 'reload schema'` is heard; undefined: nowhere. */
  channel: string | undefined;
  /** Asked before each load. */
  settings: () => SchemaCacheSettings | Promise<SchemaCacheSettings>;
  /** Told about each new cache, the first one as well. Must not throw. */
  onReload?: (cache: SchemaCache) => void;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Pause before what failed is tried again, in milliseconds; each further one is twice as long. One second if not given. */
  firstPauseMs?: number;
  /** Shortest time from one load to the next, in milliseconds; a tenth of a second if not given. */
  minIntervalMs?: number;
}

/** Whoever keeps a schema cache. */
export interface SchemaCacheKeeper {
  /** The newest one; undefined until the first one was made. */
  current(): SchemaCache | undefined;
  /** Asks for a new one, as a notification does. */
  reload(): void;
  /** Stops listening and loading; resolves when nothing runs any more. */
  close(): Promise<void>;
}

/** Begins to load and to listen. The first cache is there once `onReload` was called. */
export function createSchemaCacheKeeper(options: KeeperOptions): SchemaCacheKeeper {
  const { database, logger, firstPauseMs = FIRST_PAUSE_MS, minIntervalMs = MIN_INTERVAL_MS } = options;
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
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    logger.error({ err: error, pauseMs, generation: cache?.generation }, 'schema cache not loaded');
    retry = setTimeout(debounce.ask, pauseMs);
  }

  const debounce = createDebounce(load, minIntervalMs);
  const listenTo = (channel: string) =>
    listen({
      url: options.listenUrl,
      channel,
      applicationName: 'greenroom data, listening',
      firstPauseMs,
      onNotification: (payload) => {
        if (asksForReload(payload)) debounce.ask();
      },
      // Only what is loaded after listening has begun cannot miss a change.
      onListening: debounce.ask,
      onLost: (error, pauseMs) => {
        logger.warn({ err: error, pauseMs }, 'changes of the schema are not heard');
        if (cache === undefined) debounce.ask();
      },
    });
  const listener = options.channel === undefined ? undefined : listenTo(options.channel);
  if (listener === undefined) debounce.ask();

  return {
    current: () => cache,
    reload: debounce.ask,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await Promise.all([listener?.close(), debounce.close()]);
    },
  };
}

/** Whether a notification is meant for us. */
export function asksForReload(payload: string): boolean {
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
