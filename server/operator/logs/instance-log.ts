/** The log of an instance: printed, and kept in its data folder. */
import type { InstanceConfig } from '@greenroom/config';
import { type Logger, openLog } from '@greenroom/log';
import { createLogStore, type LogStore } from '@greenroom/log/store';

const BYTES_PER_MB = 1024 * 1024;

/** The log of an instance. */
interface InstanceLog {
  log: Logger;
  /** Undefined if the instance keeps no log. */
  store: LogStore | undefined;
  /** Writes the last lines. */
  close(): Promise<void>;
}

/** Creates the log. The store keeps lines in memory until it is opened in the data folder. */
export function createInstanceLog(
  config: Pick<InstanceConfig, 'logLevel' | 'logFormat' | 'logKeepMb'> & { app: { hosted: unknown } },
): InstanceLog {
  // An instance on a hosted backend has no data folder.
  if (config.logKeepMb === 0 || config.app.hosted) return withClose(openLog(config));
  const store = createLogStore({
    keepBytes: config.logKeepMb * BYTES_PER_MB,
    onError: (error) => log.warn({ reason: error.message }, 'the log cannot be written to the data folder'),
  });
  const log = openLog(config, store);
  return withClose(log, store);
}

function withClose(log: Logger, store?: LogStore): InstanceLog {
  return {
    log,
    store,
    async close() {
      log.flush();
      await store?.close();
    },
  };
}
