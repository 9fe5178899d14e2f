/**
 * Reports changes of the schema of a database, by the notifications that event triggers send to the data API. Without
 * these triggers, e.g. on a server of others, `notify pgrst` reports a change.
 */
import { listen } from '@greenroom/postgres';

/** Channel of the event triggers, see `services/data/migrations/0001_schema_watch.sql`. */
const CHANNEL = 'pgrst';
const PAYLOADS: readonly string[] = ['', 'reload schema'];
/** Migrations are several transactions, each with its own notification. */
const DEBOUNCE_MS = 200;

/** Options of {@link followSchema}. */
interface FollowOptions {
  /** Connection URL of any role of the database. */
  url: string;
  /**
   * Called after the schema has changed, and once when following begins or continues, because earlier changes were not
   * reported. Changes during a call are reported by the next one. Must not reject.
   */
  onChange(): Promise<void>;
  /** Called when the connection is lost; it is opened again after a pause. */
  onLost(error: Error): void;
}

/** A running follower. */
export interface SchemaFollower {
  /** Stops; resolves when the last call of `onChange` has ended. */
  close(): Promise<void>;
}

/** Starts to follow the schema. */
export function followSchema({ url, onChange, onLost }: FollowOptions): SchemaFollower {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(onChange);
    }, DEBOUNCE_MS);
  }

  const listener = listen({
    url,
    channel: CHANNEL,
    applicationName: 'greenroom types, listening',
    onNotification: (payload) => {
      if (PAYLOADS.includes(payload)) schedule();
    },
    onListening: schedule,
    onLost,
  });
  return {
    async close() {
      await listener.close();
      clearTimeout(timer);
      await running;
    },
  };
}
