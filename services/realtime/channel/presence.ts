/** Handles presence calls from clients. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import type { Channel } from './channel.ts';

const NOT_AN_OBJECT = { reason: 'Presence track payload must be a map' };

/** Handles the event `presence`. Replies in every case, unless the call exceeds a limit that ends the channel. */
export async function pushPresence(
  context: Context,
  channel: Channel,
  { ref, payload }: Frame,
): Promise<void> {
  const { config, limits } = context;
  const exhausted = limits.presence.take(channel.clientKeys, performance.now());
  if (exhausted === 'total') return channel.end('PresenceRateLimitReached');
  if (exhausted === 'client') return channel.end('ClientPresenceRateLimitReached');
  if (!channel.presence.isWithinLimit(performance.now()))
    return channel.end('ClientPresenceRateLimitReached');
  if (payload.kind === 'large') return channel.end('TrackMessageSizeExceeded');
  if (payload.kind !== 'json' || !isObject(payload.value)) return channel.reply(ref, 'error', {});
  const bytes = Buffer.byteLength(payload.text);
  if (bytes > Math.min(config.maxPayloadBytes, config.maxPresencePayloadBytes))
    return channel.end('TrackMessageSizeExceeded');
  const { event, payload: meta } = payload.value;
  switch (typeof event === 'string' && event.toLowerCase()) {
    case 'track':
      return track(channel, ref, meta, bytes);
    case 'untrack':
      channel.reply(ref, 'ok', {});
      return channel.untrack();
    default:
      return channel.reply(ref, 'error', {});
  }
}

async function track(channel: Channel, ref: string | null, meta: unknown, bytes: number): Promise<void> {
  if (!(await channel.canWrite('presence'))) return channel.reply(ref, 'error', {});
  if (!isObject(meta)) return channel.reply(ref, 'error', NOT_AN_OBJECT);
  await channel.enablePresence();
  // The socket may have closed meanwhile. A presence tracked now would never be removed.
  if (channel.isClosed) return;
  if (!channel.reservePresence(bytes + channel.presence.key.length)) {
    const { code, message } = failure('PresenceStateLimitReached');
    return channel.reply(ref, 'error', { reason: `${code}: ${message}` });
  }
  const diff = channel.presence.track(meta);
  channel.reply(ref, 'ok', {});
  channel.publishPresence(diff);
}
