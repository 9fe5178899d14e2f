/**
 * Fetches metadata from where an admin says. By https only, within limits of time and size, without following redirects;
 * and not from this machine or its network, unless that is configured: the answer goes to whoever asks, and what is
 * reached from inside is not for everybody who may ask.
 */
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { failure } from '../../errors.ts';
import { lookupPublic, PrivateAddressError, rejectPrivateHost } from '../../network/public-lookup.ts';
import { MAX_METADATA_LENGTH } from './identity-provider.ts';

const TIMEOUT_MS = 5000;

/** Throws `saml_metadata_fetch_failed`, `validation_failed` for what is no URL to fetch from. */
export async function fetchMetadata(url: string, mayBePrivate: boolean): Promise<string> {
  const target = requireHttps(url);
  try {
    if (!mayBePrivate) rejectPrivateHost(target);
    return await get(target, mayBePrivate ? undefined : lookupPublic);
  } catch (error) {
    const isExplained = error instanceof FetchError || error instanceof PrivateAddressError;
    throw notFetched(isExplained ? error.message : 'it cannot be reached');
  }
}

function requireHttps(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'https:' || target.username !== '' || target.password !== '') {
    throw failure('validation_failed', { message: 'metadata_url is not a HTTPS URL' });
  }
  return target;
}

class FetchError extends Error {}

function get(url: URL, lookupOnly: LookupFunction | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    // A connection of its own: one that is there already may lead to where this one may not.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(lookupOnly && { lookup: lookupOnly }),
  };
  const asked = request(url, options, (answer) => {
    answer.on('error', reject);
    if (answer.statusCode !== 200) {
      answer.destroy(new FetchError(`HTTP ${answer.statusCode}`));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_METADATA_LENGTH) answer.destroy(new FetchError('it is too long'));
      else chunks.push(chunk);
    });
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

function notFetched(reason: string) {
  return failure('saml_metadata_fetch_failed', {
    message: `SAML Metadata could not be fetched from its URL: ${reason}`,
  });
}
