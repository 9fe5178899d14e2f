/** Sends SMS through a provider. */

import type { Sender } from '../sender.ts';
import type { SmsProviderName, SmsSettings } from '../settings.ts';
import { post } from './post.ts';
import { readOutcome } from './provider.ts';
import { smsProviders } from './table.ts';

/** Creates a sender. */
export function createSmsSender<P extends SmsProviderName>({
  provider: name,
  credentials,
  url,
}: SmsSettings<P>): Sender {
  const provider = smsProviders[name];
  return {
    channels: provider.channels,
    async send(message, signal) {
      const request = provider.request(message, credentials);
      return readOutcome(provider, await post(url ?? provider.url, request, signal));
    },
  };
}
