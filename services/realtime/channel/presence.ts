/** What a client tells of its own presence. */
import type { Context } from '../context.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import type { Channel } from './channel.ts';

const NO_OBJECT = { reason: 'Presence track payload must be a map' };

/** Handles event `presence`: always replies, unless the channel has come to its end by it. */
export async function pushPresence(
  context: Context,
  channel: Channel,
  { ref, payload }: Frame,
): Promise<void> {
  const { config, rates } = context;
  rates.presence.add();
  if (rates.presence.average > config.maxPresenceEventsPerSecond)
    return channel.end('PresenceRateLimitReached');
  if (!channel.presence.isWithinLimit(performance.now()))
    return channel.end('ClientPresenceRateLimitReached');
  if (payload.kind !== 'json' || !isObject(payload.value)) return channel.reply(ref, 'error', {});
  if (Buffer.byteLength(payload.text) > config.maxPayloadBytes)
    return channel.end('TrackMessageSizeExceeded');
  const { event, payload: told } = payload.value;
  switch (typeof event === 'string' && event.toLowerCase()) {
    case 'track':
      return track(channel, ref, told);
    case 'untrack':
      channel.reply(ref, 'ok', {});
      return channel.publishPresence(channel.presence.untrack());
    default:
      return channel.reply(ref, 'error', {});
  }
}

async function track(channel: Channel, ref: string | null, told: unknown): Promise<void> {
  if (!(await channel.canWrite('presence'))) return channel.reply(ref, 'error', {});
  if (!isObject(told)) return channel.reply(ref, 'error', NO_OBJECT);
  await channel.turnPresenceOn();
  // The socket may have gone meanwhile; nobody would ever take this presence away.
  if (channel.isClosed) return;
  const diff = channel.presence.track(told);
  channel.reply(ref, 'ok', {});
  channel.publishPresence(diff);
}
