/** Checks signatures (AWS Signature Version 4) against a secret and a clock. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { failure } from '../../errors.ts';
import { s3Failure } from '../errors.ts';
import { canonicalQuery, canonicalRequest, type SignedRequest } from './canonical.ts';
import { encodeStrictly } from './query.ts';
import { ALGORITHM, type Credential, type SentSignature, timeOf } from './sent-signature.ts';

/** A clock may be wrong by this much. */
const MAX_SKEW_MS = 15 * 60_000;
const SERVICE = 's3';
/** What clients sign for that have no region of their own. */
const COMMON_REGIONS = ['us-east-1', 'auto', ''];

/** Which regions are accepted. */
interface RegionRules {
  region: string;
  /** No other than `region`. */
  enforcesRegion: boolean;
}

/** Where a client may have called the server: proxies change both. */
export interface Address {
  host: string;
  /** In front of the path as it arrived. */
  pathPrefix: string;
}

/** Throws where the signature is for another service, region or day, or not of this time. @param now ms since the epoch */
export function requireValidScope(signature: SentSignature, rules: RegionRules, now: number): void {
  const { credential, date } = signature;
  if (credential.service !== SERVICE) throw denied(`the service must be ${SERVICE}`);
  if (!isAcceptedRegion(credential.region, rules)) throw denied(`the region must be ${rules.region}`);
  if (!date.startsWith(credential.day)) throw denied('the credential is of another day than the request');
  requireThisTime(signature, now);
}

function isAcceptedRegion(region: string, rules: RegionRules): boolean {
  return region === rules.region || (!rules.enforcesRegion && COMMON_REGIONS.includes(region));
}

/** A form's policy says itself how long it is good for, and may have been signed long ago. */
function requireThisTime({ kind, date, lifetimeSeconds }: SentSignature, now: number): void {
  const signedAt = timeOf(date);
  if (signedAt - now > MAX_SKEW_MS) throw s3Failure('RequestTimeTooSkewed');
  if (kind === 'header' && now - signedAt > MAX_SKEW_MS) throw s3Failure('RequestTimeTooSkewed');
  if (lifetimeSeconds !== undefined && now > signedAt + lifetimeSeconds * 1000) throw failure('ExpiredToken');
}

/**
 * Throws where a header that tells S3 what to do is not signed: who was only given a presigned URL could otherwise turn it
 * into a copy of anything.
 */
export function requireSignedHeaders({ signedHeaders }: SentSignature, { headers }: SignedRequest): void {
  const signed = new Set(signedHeaders);
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signed.has(name) && !NEED_NO_SIGNATURE.has(name),
  );
  if (unsigned.length > 0) {
    throw s3Failure('HeadersNotSigned', { message: `These headers must be signed: ${unsigned.join(', ')}` });
  }
}

/** They change nothing. The hash is in the signed text in any case. */
const NEED_NO_SIGNATURE = new Set(['x-amz-user-agent', 'x-amz-content-sha256']);

/** True if the request was signed with this secret, at one of these addresses. Takes constant time for each. */
export function isSignedWith(
  secret: string,
  signature: SentSignature,
  request: SignedRequest,
  addresses: readonly Address[],
): boolean {
  const key = signingKey(secret, signature.credential);
  const text = { ...request, query: canonicalQuery(request.query) };
  const isRight = (host: string, path: string) => {
    const canonical = canonicalRequest(text, signature, { host, path });
    return isSame(signText(key, stringToSign(signature, canonical)), signature.signature);
  };
  const { path } = request;
  const strictPath = spelledStrictly(path);
  return addresses.some(({ host, pathPrefix }) => {
    if (isRight(host, pathPrefix + path)) return true;
    const strictPrefix = spelledStrictly(pathPrefix);
    if (strictPath === undefined || strictPrefix === undefined) return false;
    const isOther = strictPath !== path || strictPrefix !== pathPrefix;
    return isOther && isRight(host, strictPrefix + strictPath);
  });
}

/** A path as AWS encodes it; undefined if it cannot be decoded. */
function spelledStrictly(path: string): string | undefined {
  try {
    return path
      .split('/')
      .map((segment) => encodeStrictly(decodeURIComponent(segment)))
      .join('/');
  } catch {
    return undefined;
  }
}

/** The key of one day, region and service. */
export function signingKey(secret: string, { day, region, service }: Credential): Buffer {
  return [day, region, service, 'aws4_request'].reduce<Buffer>(
    (key, text) => hmac(key, text),
    Buffer.from(`AWS4${secret}`),
  );
}

/** `yyyymmdd/region/service/aws4_request` */
export function scopeOf({ day, region, service }: Credential): string {
  return `${day}/${region}/${service}/aws4_request`;
}

function stringToSign({ date, credential }: SentSignature, canonical: string): string {
  const hash = createHash('sha256').update(canonical).digest('hex');
  return [ALGORITHM, date, scopeOf(credential), hash].join('\n');
}

/** The signature of a text, in hexadecimal digits. */
export function signText(key: Buffer, text: string): string {
  return hmac(key, text).toString('hex');
}

/** Compares two signatures in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function denied(reason: string): Error {
  return failure('SignatureDoesNotMatch', { message: `The signature is not for this server: ${reason}` });
}
