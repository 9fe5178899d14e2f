/** Verifies signatures (AWS Signature Version 4) against a secret and the current time. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { failure } from '../../errors.ts';
import { s3Failure } from '../errors.ts';
import { canonicalQuery, canonicalRequest, type SignedRequest } from './canonical.ts';
import { encodeStrictly } from './query.ts';
import { ALGORITHM, type Credential, type SentSignature, timeOf } from './sent-signature.ts';

/** Tolerated clock skew of clients. */
const MAX_SKEW_MS = 15 * 60_000;
const SERVICE = 's3';
/** Regions that clients without a configured region sign for. */
const COMMON_REGIONS = ['us-east-1', 'auto', ''];

/** The accepted regions. */
interface RegionRules {
  region: string;
  /** Accepts only `region`. */
  enforcesRegion: boolean;
}

/** An address that a client may have used; proxies change both fields. */
export interface Address {
  host: string;
  /** Prefix of the received path. */
  pathPrefix: string;
}

/**
 * Checks service, region, day and time of a signature. Throws SignatureDoesNotMatch, RequestTimeTooSkewed and
 * ExpiredToken.
 *
 * @param now milliseconds since the epoch
 */
export function requireValidScope(signature: SentSignature, rules: RegionRules, now: number): void {
  const { credential, date } = signature;
  if (credential.service !== SERVICE) throw denied(`the service must be ${SERVICE}`);
  if (!isAcceptedRegion(credential.region, rules)) throw denied(`the region must be ${rules.region}`);
  if (!date.startsWith(credential.day))
    throw denied('the date of the credential differs from the date of the request');
  requireValidTime(signature, now);
}

function isAcceptedRegion(region: string, rules: RegionRules): boolean {
  return region === rules.region || (!rules.enforcesRegion && COMMON_REGIONS.includes(region));
}

/** Checks the time of a signature. Forms may be signed long in advance, because their policy has its own expiry. */
function requireValidTime({ kind, date, lifetimeSeconds }: SentSignature, now: number): void {
  const signedAt = timeOf(date);
  if (signedAt - now > MAX_SKEW_MS) throw s3Failure('RequestTimeTooSkewed');
  if (kind === 'header' && now - signedAt > MAX_SKEW_MS) throw s3Failure('RequestTimeTooSkewed');
  if (lifetimeSeconds !== undefined && now > signedAt + lifetimeSeconds * 1000) throw failure('ExpiredToken');
}

/**
 * Throws HeadersNotSigned if an `x-amz-` header is not signed. Such headers control the operation, so the recipient of
 * a presigned URL could otherwise turn it into a copy of any object.
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

/** These headers do not affect the operation. The hash is part of the signed text in any case. */
const NEED_NO_SIGNATURE = new Set(['x-amz-user-agent', 'x-amz-content-sha256']);

/** Whether the request was signed with this secret for one of these addresses. Takes constant time for each. */
export function isSignedWith(
  secret: string,
  signature: SentSignature,
  request: SignedRequest,
  addresses: readonly Address[],
): boolean {
  const key = signingKey(secret, signature.credential);
  const text = { ...request, query: canonicalQuery(request.query) };
  const isMatch = (host: string, path: string) => {
    const canonical = canonicalRequest(text, signature, { host, path });
    return signaturesEqual(signText(key, stringToSign(signature, canonical)), signature.signature);
  };
  const { path } = request;
  const strictPath = encodePathStrictly(path);
  return addresses.some(({ host, pathPrefix }) => {
    if (isMatch(host, pathPrefix + path)) return true;
    const strictPrefix = encodePathStrictly(pathPrefix);
    if (strictPath === undefined || strictPrefix === undefined) return false;
    const differs = strictPath !== path || strictPrefix !== pathPrefix;
    return differs && isMatch(host, strictPrefix + strictPath);
  });
}

/** Encodes a path as AWS does; undefined if it cannot be decoded. */
function encodePathStrictly(path: string): string | undefined {
  try {
    return path
      .split('/')
      .map((segment) => encodeStrictly(decodeURIComponent(segment)))
      .join('/');
  } catch {
    return undefined;
  }
}

/** Derives the key of one day, region and service. */
export function signingKey(secret: string, { day, region, service }: Credential): Buffer {
  return [day, region, service, 'aws4_request'].reduce<Buffer>(
    (key, text) => hmac(key, text),
    Buffer.from(`AWS4${secret}`),
  );
}

/** Formats the scope `yyyymmdd/region/service/aws4_request`. */
export function scopeOf({ day, region, service }: Credential): string {
  return `${day}/${region}/${service}/aws4_request`;
}

function stringToSign({ date, credential }: SentSignature, canonical: string): string {
  const hash = createHash('sha256').update(canonical).digest('hex');
  return [ALGORITHM, date, scopeOf(credential), hash].join('\n');
}

/** Signs a text. Returns hexadecimal digits. */
export function signText(key: Buffer, text: string): string {
  return hmac(key, text).toString('hex');
}

/** Compares two signatures in constant time. */
export function signaturesEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function denied(reason: string): Error {
  return failure('SignatureDoesNotMatch', { message: `The signature is not for this server: ${reason}` });
}
