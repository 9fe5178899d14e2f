/** Routes the pushes of a client to the modules that handle them. */
import type { Context } from '../context.ts';
import type { Frame } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import { pushBroadcast } from './broadcast.ts';
import type { Channel } from './channel.ts';
import { pushPresence } from './presence.ts';

/** Handles a push. Returns a promise only if the push needs asynchronous work. */
export function handlePush(context: Context, channel: Channel, frame: Frame): void | Promise<void> {
  switch (frame.event) {
    case 'broadcast':
      return pushBroadcast(context, channel, frame);
    case 'presence':
      return pushPresence(context, channel, frame);
    case 'access_token':
      return pushToken(channel, frame);
    default:
      // Unknown events are ignored.
      return undefined;
  }
}

/** Changes the token of the channel. API keys (`sb_…`) are ignored: the token of the socket still applies. */
function pushToken(channel: Channel, { payload }: Frame): void | Promise<void> {
  const token = payload.kind === 'json' && isObject(payload.value) ? payload.value.access_token : undefined;
  if (typeof token === 'string' && token !== '' && !token.startsWith('sb_'))
    return channel.changeToken(token);
}
