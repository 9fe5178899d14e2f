/** Sends SMS through a provider. No other module makes HTTP requests to one. */

import type { Sender } from '../sender.ts';
import type { SmsProviderName, SmsSettings } from '../settings.ts';
import { readOutcome, type SmsRequest } from './provider.ts';
import { smsProviders } from './table.ts';

/** The same timeout as GoTrue's. */
const TIMEOUT_MS = 10_000;

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

/** Does not follow redirects, because the credentials are for this server only. */
async function post(url: string, { path, headers, form }: SmsRequest, signal: AbortSignal) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    body: new URLSearchParams(form),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  return { status: response.status, body: parseJson(await response.text()) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
