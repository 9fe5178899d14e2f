/** Maps errors of an S3 store to errors of an archive. */
import { ArchiveError, type ArchiveErrorKind } from '../../errors.ts';

interface S3Failure {
  name?: string;
  code?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Errors that need a change by the operator, with the way out. */
const REFUSALS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist: create it, or correct its name',
  AccessDenied: 'the credentials do not have the right: allow to get, put, list and delete objects',
  InvalidAccessKeyId: 'the store does not know the access key',
  SignatureDoesNotMatch: 'the secret key does not fit the access key',
  ExpiredToken: 'the credentials have expired',
  RequestTimeTooSkewed: 'the clock of this machine differs from that of the store',
  PermanentRedirect: 'the bucket is in another region: set it with region=',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set it with region=',
  CredentialsProviderError: 'no credentials are set',
};

const FULL = new Set([
  'InsufficientStorage',
  'XMinioStorageFull',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
]);
/** The connection ended within a response, whose status says nothing then. */
const CUT = /Deserialization error|^aborted/;
const CERTIFICATE = /CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/;
const HTTP_FULL = 507;
const HTTP_NOT_IMPLEMENTED = 501;

/** Returns the name of an error of the store, e.g. `NoSuchKey`. */
export function nameOf(error: unknown): string {
  return (error as S3Failure | undefined)?.name ?? '';
}

/** Returns the HTTP status of an error of the store; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  return (error as S3Failure | undefined)?.$metadata?.httpStatusCode;
}

/**
 * Returns an `ArchiveError`.
 * @param value the value or list that was requested, for the message
 * @param location the bucket, for the message
 */
export function s3Error(error: unknown, value: string, location: string): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const kind = kindOf(error);
  return new ArchiveError(kind, `${value} in ${location}: ${reasonOf(error, kind)}`, { cause: error });
}

function kindOf(error: unknown): ArchiveErrorKind {
  const { code = '', message = '' } = error as S3Failure;
  const name = nameOf(error);
  const status = statusOf(error);
  if (CUT.test(message)) return 'unavailable';
  if (name === 'NoSuchKey' || (name === 'NotFound' && status === 404)) return 'missing';
  if (FULL.has(name) || status === HTTP_FULL) return 'full';
  if (name in REFUSALS || CERTIFICATE.test(code)) return 'refused';
  const isTransient =
    status === undefined || status === 200 || status === 408 || status === 409 || status === 429;
  return isTransient || (status >= 500 && status !== HTTP_NOT_IMPLEMENTED) ? 'unavailable' : 'refused';
}

function reasonOf(error: unknown, kind: ArchiveErrorKind): string {
  const { code, message = '' } = error as S3Failure;
  const name = nameOf(error);
  const status = statusOf(error);
  if (kind === 'missing') return 'it does not exist';
  if (kind === 'full') return 'the store has no space left; prune the archive or raise the quota';
  const details = [status, status === undefined ? (code ?? name) : name].filter(Boolean).join(' ');
  const reason =
    REFUSALS[name] ?? (kind === 'unavailable' ? `the store does not respond as expected` : message);
  return `${reason} (${[details, kind === 'unavailable' ? message : ''].filter(Boolean).join(': ')})`;
}
