/** Moves webhooks into the queue when their next attempt is due. */
import type { Query } from '../query.ts';
import { nextWebhookDueMs, startDueWebhooks } from './webhook-deliveries.ts';

/** Pause while webhooks are due that cannot start, because their hosts have no room. */
const BLOCKED_PAUSE_MS = 1000;
const MIN_PAUSE_MS = 20;
/** The clock of this machine and that of the database may differ. */
const MAX_PAUSE_MS = 60_000;

/** Options of {@link createWebhookRetries}. */
interface RetriesOptions {
  query: Query;
  /** Called when a webhook may be due. */
  onDue: () => void;
}

/** Retries of webhooks. */
interface WebhookRetries {
  /** Reads the time of the next attempt again in the next `start`. */
  check(): void;
  /** Moves webhooks that are due. Returns whether it has moved some, so that more may be due. */
  start(fullHosts: readonly string[]): Promise<boolean>;
  /** Stops the timer. */
  end(): void;
}

export function createWebhookRetries({ query, onDue }: RetriesOptions): WebhookRetries {
  let isCheckDue = true;
  let timer: NodeJS.Timeout | undefined;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isCheckDue = true;
      onDue();
    }, ms);
    timer.unref();
  }

  return {
    check() {
      isCheckDue = true;
    },
    async start(fullHosts) {
      if (!isCheckDue) return false;
      // Before the statements: a notification that arrives meanwhile sets it again.
      isCheckDue = false;
      const ms = await nextWebhookDueMs(query);
      if (ms === undefined) return false;
      if (ms <= 0 && (await startDueWebhooks(query, fullHosts)) > 0) {
        isCheckDue = true;
        return true;
      }
      schedule(ms <= 0 ? BLOCKED_PAUSE_MS : Math.min(Math.max(ms, MIN_PAUSE_MS), MAX_PAUSE_MS));
      return false;
    },
    end: () => clearTimeout(timer),
  };
}
