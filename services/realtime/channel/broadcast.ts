/** Handles broadcasts from clients: checks size and permission, and publishes them to the topic. */
import type { Context } from '../context.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import type { Broadcast } from '../hub/bus.ts';
import type { Channel } from './channel.ts';

/** Handles the event `broadcast`. Replies only if the channel has `ack` on. Drops unauthorized broadcasts silently. */
export function pushBroadcast(context: Context, channel: Channel, frame: Frame): void | Promise<void> {
  const broadcast = broadcastOf(frame);
  if (broadcast === undefined) return;
  const { ack, self } = channel.params.broadcast;
  const bytes = bytesOf(broadcast);
  if (bytes > context.config.maxPayloadBytes) {
    context.metrics.dropped.inc({ kind: 'too large' });
    if (ack) channel.reply(frame.ref, 'error', 'payload_size_exceeded');
    return;
  }
  const send = (isAllowed: boolean) => {
    if (!isAllowed || channel.isClosed) return;
    channel.chargeDelivery(bytes);
    const except = self ? undefined : channel.id;
    const published = context.hub.publish({ kind: 'broadcast', topic: channel.topic, broadcast, except });
    if (ack) acknowledge(channel, frame.ref, published);
  };
  const allowed = channel.canWrite('broadcast');
  return typeof allowed === 'boolean' ? send(allowed) : allowed.then(send);
}

/** Replies when the other nodes have the broadcast. Later frames of the channel do not wait for this reply. */
function acknowledge(channel: Channel, ref: string | null, published: void | Promise<void>): void {
  const reply = (status: 'ok' | 'error', response: object) => {
    if (!channel.isClosed) channel.reply(ref, status, response);
  };
  if (published === undefined) reply('ok', {});
  else
    published.then(
      () => reply('ok', {}),
      ({ message }: Error) => reply('error', { reason: message }),
    );
}

/** Returns the broadcast of a frame: text unchanged, binary without metadata, which is meant for the server only. */
function broadcastOf({ payload }: Frame): Broadcast | undefined {
  if (payload.kind === 'user-broadcast') return { ...payload, meta: '' };
  if (payload.kind === 'large' && payload.isObject) return { kind: 'text', payload: payload.bytes };
  if (payload.kind === 'json' && isObject(payload.value)) return { kind: 'text', payload: payload.text };
  return undefined;
}

function bytesOf(broadcast: Broadcast): number {
  return broadcast.kind === 'text' ? Buffer.byteLength(broadcast.payload) : broadcast.bytes.length;
}
