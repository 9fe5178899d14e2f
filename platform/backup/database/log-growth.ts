/** Watches the log that PostgreSQL keeps for a running backup: it keeps a limited amount, without which the backup fails. */
import { type Lsn, readServerIdentity } from '@greenroom/postgres';

/** Options of {@link watchLogGrowth}. */
interface LogGrowthOptions {
  /** URL of the superuser. */
  url: string;
  /** Start of the log that is kept. */
  from: Lsn;
  maxBytes: number;
  checkEveryMs: number;
  /** Called once when more log is kept. */
  onExceeded: () => void;
}

/** Checks the log until it is stopped, or has grown too much. A check that fails is repeated: the backup has its own errors. */
export function watchLogGrowth(options: LogGrowthOptions): { stop(): void } {
  const { url, from, maxBytes, checkEveryMs, onExceeded } = options;
  const timer = setInterval(() => void check().catch(() => undefined), checkEveryMs);
  const stop = () => clearInterval(timer);
  async function check(): Promise<void> {
    const { end } = await readServerIdentity(url);
    if (end - from <= BigInt(maxBytes)) return;
    stop();
    onExceeded();
  }
  return { stop };
}
