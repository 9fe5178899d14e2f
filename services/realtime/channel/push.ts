/** What a client pushes to a joined channel, and which module handles it. */
import type { Context } from '../context.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import { pushBroadcast } from './broadcast.ts';
import type { Channel } from './channel.ts';
import { pushPresence } from './presence.ts';

/** Handles a push. What takes no time is done when this returns. */
export function handlePush(context: Context, channel: Channel, frame: Frame): void | Promise<void> {
  switch (frame.event) {
    case 'broadcast':
      return pushBroadcast(context, channel, frame);
    case 'presence':
      return pushPresence(context, channel, frame);
    case 'access_token':
      return pushToken(channel, frame);
    default:
      // Unknown ones are no error.
      return undefined;
  }
}

/** A key that is no token changes nothing: the socket came with it. */
function pushToken(channel: Channel, { payload }: Frame): void | Promise<void> {
  const token = payload.kind === 'json' && isObject(payload.value) ? payload.value.access_token : undefined;
  if (typeof token === 'string' && token !== '' && !token.startsWith('sb_'))
    return channel.changeToken(token);
}
