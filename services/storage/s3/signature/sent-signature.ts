/**
 * Parses the signature of a request (AWS Signature Version 4) from the header Authorization, the query of a presigned
 * URL, or the fields of a form. verify.ts checks it.
 */
import { failure } from '../../errors.ts';
import type { QueryPairs } from './query.ts';

/** The only supported algorithm. */
export const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Replaces the payload hash if the content is not signed. */
const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

/** Scope of the key: `<access key>/<yyyymmdd>/<region>/<service>/aws4_request`. */
export interface Credential {
  accessKeyId: string;
  /** yyyymmdd */
  day: string;
  region: string;
  service: string;
}

/** A parsed signature that has not been verified. */
export interface SentSignature {
  kind: 'header' | 'query' | 'form';
  credential: Credential;
  /** Names in lower case, sorted. Empty for forms, whose policy is signed instead. */
  signedHeaders: readonly string[];
  /** Hexadecimal. */
  signature: string;
  /** yyyymmddThhmmssZ */
  date: string;
  /** Validity of a presigned URL in seconds. */
  lifetimeSeconds: number | undefined;
  /** SHA-256 of the content, or a keyword for content without a hash. */
  payloadHash: string;
  /** JWT of a user. */
  sessionToken: string | undefined;
}

/** Values by header name in lower case. */
export type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Longest validity of a presigned URL: seven days. */
const MAX_LIFETIME_SECONDS = 604_800;
/** More than any client signs, including metadata. Limits apply before the sender is authenticated. */
const MAX_SIGNED_HEADERS = 500;
/** An Authorization header has three fields. */
const MAX_FIELDS = 8;
const MAX_CREDENTIAL_LENGTH = 1024;
const DATE = /^\d{8}T\d{6}Z$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const HASH = /^[0-9a-f]{64}$/i;
const STREAMING = /^STREAMING-(?:AWS4-HMAC-SHA256-PAYLOAD(?:-TRAILER)?|UNSIGNED-PAYLOAD-TRAILER)$/;

/** Parses the signature of a request; undefined if it has none or is a form. Throws InvalidSignature. */
export function readSignature(headers: Headers, query: QueryPairs): SentSignature | undefined {
  const authorization = headers.authorization?.[0];
  // A presigned URL may be requested with an unrelated Authorization header, e.g. by a page that adds one to all of its
  // requests.
  if (authorization?.startsWith(`${ALGORITHM} `)) return readHeaderSignature(authorization, headers);
  const parameters = new Map(query);
  return parameters.has('X-Amz-Credential') ? readQuerySignature(parameters, headers) : undefined;
}

/** Parses `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, in any order and with optional spaces. */
function readHeaderSignature(authorization: string, headers: Headers): SentSignature {
  const fields = new Map(
    authorization
      .slice(ALGORITHM.length)
      .split(',', MAX_FIELDS)
      .map((field) => {
        const equals = field.indexOf('=');
        return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()] as const;
      }),
  );
  return {
    kind: 'header',
    credential: readCredential(fields.get('Credential')),
    signedHeaders: readSignedHeaders(fields.get('SignedHeaders')),
    signature: readHexSignature(fields.get('Signature')),
    date: readDate(headers['x-amz-date']?.[0]),
    lifetimeSeconds: undefined,
    payloadHash: readPayloadHash(headers['x-amz-content-sha256']?.[0]),
    sessionToken: headers['x-amz-security-token']?.[0],
  };
}

function readQuerySignature(parameters: ReadonlyMap<string, string>, headers: Headers): SentSignature {
  requireAlgorithm(parameters.get('X-Amz-Algorithm'));
  return {
    kind: 'query',
    credential: readCredential(parameters.get('X-Amz-Credential')),
    signedHeaders: readSignedHeaders(parameters.get('X-Amz-SignedHeaders')),
    signature: readHexSignature(parameters.get('X-Amz-Signature')),
    date: readDate(parameters.get('X-Amz-Date')),
    lifetimeSeconds: readLifetime(parameters.get('X-Amz-Expires')),
    payloadHash: readPayloadHash(
      parameters.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256']?.[0] ?? UNSIGNED_PAYLOAD,
    ),
    sessionToken: parameters.get('X-Amz-Security-Token'),
  };
}

/** Parses the signature in form fields with lower-case names. Throws InvalidSignature. */
export function readFormSignature(fields: ReadonlyMap<string, string>): SentSignature {
  requireAlgorithm(fields.get('x-amz-algorithm'));
  return {
    kind: 'form',
    credential: readCredential(fields.get('x-amz-credential')),
    signedHeaders: [],
    signature: readHexSignature(fields.get('x-amz-signature')),
    date: readDate(fields.get('x-amz-date')),
    lifetimeSeconds: undefined,
    payloadHash: UNSIGNED_PAYLOAD,
    sessionToken: fields.get('x-amz-security-token'),
  };
}

/** Parses `yyyymmddThhmmssZ` to milliseconds since the epoch; NaN for an invalid date or time. */
export function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function requireAlgorithm(algorithm: string | undefined): void {
  if (algorithm !== ALGORITHM) throw invalid(`the algorithm must be ${ALGORITHM}`);
}

function readCredential(text: string | undefined): Credential {
  const parts = text === undefined || text.length > MAX_CREDENTIAL_LENGTH ? [] : text.split('/');
  // Only the access key may contain slashes.
  const [day = '', region = '', service = '', terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join('/');
  if (accessKeyId === '' || terminator !== 'aws4_request' || !/^\d{8}$/.test(day)) {
    throw invalid('the credential must be <access key>/<yyyymmdd>/<region>/s3/aws4_request');
  }
  return { accessKeyId, day, region, service };
}

function readSignedHeaders(text: string | undefined): string[] {
  const names = text?.toLowerCase().split(';', MAX_SIGNED_HEADERS + 1) ?? [];
  if (names.length > MAX_SIGNED_HEADERS) throw invalid(`at most ${MAX_SIGNED_HEADERS} headers may be signed`);
  if (!names.includes('host')) throw invalid('header host must be signed');
  return names.toSorted();
}

function readHexSignature(text: string | undefined): string {
  if (text === undefined || !SIGNATURE.test(text)) {
    throw invalid('the signature must be 64 hexadecimal digits');
  }
  return text;
}

function readDate(text: string | undefined): string {
  if (text === undefined || !DATE.test(text) || Number.isNaN(timeOf(text))) {
    throw invalid('the date must have the form yyyymmddThhmmssZ');
  }
  return text;
}

function readLifetime(text: string | undefined): number {
  const seconds = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || seconds > MAX_LIFETIME_SECONDS) {
    throw invalid(`X-Amz-Expires must be a number of seconds up to ${MAX_LIFETIME_SECONDS}`);
  }
  return seconds;
}

function readPayloadHash(text: string | undefined): string {
  if (text === undefined) throw invalid('header x-amz-content-sha256 is missing');
  if (text !== UNSIGNED_PAYLOAD && !HASH.test(text) && !STREAMING.test(text)) {
    throw invalid('x-amz-content-sha256 is neither a SHA-256 in hexadecimal digits nor a known keyword');
  }
  return text;
}

function invalid(reason: string): Error {
  return failure('InvalidSignature', { message: `Invalid signature: ${reason}` });
}
