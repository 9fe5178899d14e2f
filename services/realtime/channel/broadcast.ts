/** A broadcast that a client pushes: checked, and handed to everybody in the topic. */
import type { Context } from '../context.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import type { Broadcast } from '../hub/bus.ts';
import type { Channel } from './channel.ts';

/** Handles event `broadcast`. Replies only where the channel wants it; what is not allowed vanishes without a word. */
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
    const told = context.hub.publish({ kind: 'broadcast', topic: channel.topic, broadcast, except });
    if (ack) acknowledge(channel, frame.ref, told);
  };
  const allowed = channel.canWrite('broadcast');
  return typeof allowed === 'boolean' ? send(allowed) : allowed.then(send);
}

/** Other nodes may take a moment. The channel does not wait for them with what it has to say next. */
function acknowledge(channel: Channel, ref: string | null, told: void | Promise<void>): void {
  const reply = (status: 'ok' | 'error', response: object) => {
    if (!channel.isClosed) channel.reply(ref, status, response);
  };
  if (told === undefined) reply('ok', {});
  else
    told.then(
      () => reply('ok', {}),
      ({ message }: Error) => reply('error', { reason: message }),
    );
}

/** What came as text is passed on as it is; of what came in binary, what its sender says to the server is left out. */
function broadcastOf({ payload }: Frame): Broadcast | undefined {
  if (payload.kind === 'user-broadcast') return { ...payload, meta: '' };
  if (payload.kind === 'large' && payload.isObject) return { kind: 'text', payload: payload.bytes };
  if (payload.kind === 'json' && isObject(payload.value)) return { kind: 'text', payload: payload.text };
  return undefined;
}

function bytesOf(broadcast: Broadcast): number {
  return broadcast.kind === 'text' ? Buffer.byteLength(broadcast.payload) : broadcast.bytes.length;
}
