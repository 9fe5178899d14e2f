/** Checks the credentials of SMS providers by reading a resource of the account. Sends no message. */
import type { SmsSettings } from '../settings.ts';
import { get, post } from './post.ts';
import { readOutcome, type SmsProvider } from './provider.ts';
import { smsProviders } from './table.ts';
import { twilioAuthorization } from './twilio.ts';

/** Resolves if the provider accepts the credentials. Rejects with its reason. */
export async function probeSms(settings: SmsSettings): Promise<void> {
  const response = await readAccount(settings);
  const { reasonOf } = smsProviders[settings.provider] as SmsProvider<never>;
  const outcome = readOutcome({ reasonOf, read: () => ({ isSent: true, providerId: undefined }) }, response);
  if (!outcome.isSent) throw new Error(outcome.reason);
  const { status } = (response.body ?? {}) as { status?: unknown };
  if (settings.provider === 'textlocal' && status !== 'success')
    throw new Error(reasonOf(response.body) ?? 'no reason given');
}

function readAccount(settings: SmsSettings) {
  const url = settings.url ?? smsProviders[settings.provider].url;
  switch (settings.provider) {
    case 'twilio': {
      const { accountSid } = settings.credentials;
      const path = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`;
      return get(url, { path, headers: { authorization: twilioAuthorization(settings.credentials) } });
    }
    case 'twilio_verify': {
      const path = `/v2/Services/${encodeURIComponent(settings.credentials.messageServiceSid)}`;
      return get(url, { path, headers: { authorization: twilioAuthorization(settings.credentials) } });
    }
    case 'vonage': {
      const { apiKey: api_key, apiSecret: api_secret } = settings.credentials;
      const query = new URLSearchParams({ api_key, api_secret });
      return get(url, { path: `/account/get-balance?${query}` });
    }
    case 'messagebird': {
      const headers = { authorization: `AccessKey ${settings.credentials.accessKey}` };
      return get(url, { path: '/balance', headers });
    }
    default:
      return post(url, { path: '/balance', form: { apikey: settings.credentials.apiKey } });
  }
}
