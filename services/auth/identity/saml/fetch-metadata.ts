/**
 * Fetches metadata from a URL that an admin entered: HTTPS only, limited in time and size, without following
 * redirects. Private addresses are rejected unless configured otherwise, because the response is shown to the
 * caller, who could read internal resources that way (SSRF).
 */
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { lookupPublic, PrivateAddressError, rejectPrivateHost } from '@greenroom/network';
import { failure } from '../../errors.ts';
import { MAX_METADATA_LENGTH } from './identity-provider.ts';

const TIMEOUT_MS = 5000;

/** Throws `saml_metadata_fetch_failed`, and `validation_failed` for URLs that may not be fetched. */
export async function fetchMetadata(url: string, mayBePrivate: boolean): Promise<string> {
  const target = requireHttps(url);
  try {
    if (!mayBePrivate) rejectPrivateHost(target);
    return await get(target, mayBePrivate ? undefined : lookupPublic);
  } catch (error) {
    const isExplained = error instanceof FetchError || error instanceof PrivateAddressError;
    throw fetchFailed(isExplained ? error.message : 'it cannot be reached');
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

function get(url: URL, lookup: LookupFunction | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    // No pooled connection: it may lead to an address that this request may not reach.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(lookup && { lookup }),
  };
  const outgoing = request(url, options, (response) => {
    response.on('error', reject);
    if (response.statusCode !== 200) {
      response.destroy(new FetchError(`HTTP ${response.statusCode}`));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_METADATA_LENGTH) response.destroy(new FetchError('it is too long'));
      else chunks.push(chunk);
    });
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

function fetchFailed(reason: string) {
  return failure('saml_metadata_fetch_failed', {
    message: `SAML Metadata could not be fetched from its URL: ${reason}`,
  });
}
