/** Delivers the database changes of a channel to its client as frames, with system messages and a rate limit. */
import type { Context } from '../context.ts';
import type { ChangeEntry } from '../feed/feed.ts';
import type { SocketClient } from '../limits/client.ts';
import { ChangeQuota } from './change-quota.ts';
import { ChangeSubscription } from './change-subscription.ts';
import type { ChannelFrames, FramePort } from './channel-frames.ts';

/** Options of {@link createChangeSubscription}. */
interface ChannelChangesOptions {
  context: Context;
  port: FramePort & { readonly client: SocketClient };
  frames: ChannelFrames;
  entries: readonly ChangeEntry[];
  /** Whether the client uses the old protocol, in which the operation is the event of the frame. */
  isLegacy: boolean;
}

/** Creates the subscription of a channel without starting it. Returns undefined for a channel without entries. */
export function createChangeSubscription(options: ChannelChangesOptions): ChangeSubscription | undefined {
  const { context, port, frames, entries, isLegacy } = options;
  if (entries.length === 0) return undefined;
  const { limits, metrics, changeFrames } = context;
  const receiver = { version: port.version, topic: frames.topic, isLegacy };
  return new ChangeSubscription({
    feed: context.feed,
    entries,
    quota: new ChangeQuota(port.client, entries.length),
    pauseMs: context.timings.resubscribeMs,
    listener: {
      deliver(delivery) {
        if (limits.dbEvents.take(port.client.keys, performance.now()) !== undefined) {
          metrics.dropped.inc({ kind: 'database change' });
          return;
        }
        metrics.delivered.inc();
        port.send(changeFrames.of(delivery, receiver));
      },
      onActive: () => frames.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL'),
      onInactive: (message) => frames.system('postgres_changes', 'error', message),
      onError: (error) => context.log.error({ err: error }, 'subscribing to database changes failed'),
    },
  });
}
