/** The error catalogue of storage, with the codes, statuses and messages that clients know from the hosted service. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/**
 * An entry of the catalogue. `status` is the body's `statusCode`, and the HTTP status of responses of the S3 protocol
 * and of resumable uploads. All other responses have HTTP status 400, or `httpStatus`.
 */
export interface StorageErrorEntry extends CatalogueEntry {
  status: number;
  /** The body's `error`, if the hosted service names it differently from the code. */
  error?: string;
  /** The body's `code`, if the hosted service has one code for several of ours. */
  code?: string;
  httpStatus?: number;
}

/** Documented in docs/reference/storage.md. */
export const storageErrors = {
  NoSuchBucket: { status: 404, error: 'Bucket not found', message: 'Bucket not found' },
  NoSuchKey: { status: 404, error: 'not_found', message: 'Object not found' },
  NoSuchUpload: { status: 404, message: 'Upload not found' },
  BucketAlreadyExists: { status: 409, error: 'Duplicate', message: 'The resource already exists' },
  KeyAlreadyExists: { status: 409, error: 'Duplicate', message: 'The resource already exists' },
  ResourceAlreadyExists: { status: 409, error: 'Duplicate', message: 'The resource already exists' },
  ResourceNotEmpty: { status: 409, message: 'The bucket you tried to delete is not empty' },
  ResourceReferenced: { status: 409, message: 'The resource is still referenced' },
  TooManyObjects: {
    status: 409,
    code: 'InvalidRequest',
    message: 'Unable to empty the bucket because it contains too many objects',
  },
  AccessDenied: { status: 403, error: 'Unauthorized', message: 'Access denied' },
  InvalidRole: {
    status: 403,
    code: 'AccessDenied',
    error: 'Unauthorized',
    httpStatus: 403,
    message: 'Access denied: Invalid role',
  },
  InvalidJWT: { status: 400, message: 'The token is invalid' },
  InvalidSignature: { status: 400, message: 'Invalid signature' },
  ExpiredToken: { status: 400, message: 'The provided token has expired.' },
  InvalidBucketName: { status: 400, error: 'Invalid Input', message: 'Bucket name invalid' },
  InvalidKey: { status: 400, message: 'Invalid key' },
  InvalidMimeType: { status: 415, error: 'invalid_mime_type', message: 'mime type is not supported' },
  EntityTooLarge: {
    status: 413,
    error: 'Payload too large',
    message: 'The object exceeded the maximum allowed size',
  },
  QuotaExceeded: {
    status: 413,
    error: 'Payload too large',
    message: 'The upload exceeds the storage quota',
  },
  TooManyUploads: {
    status: 429,
    httpStatus: 429,
    message: 'Too many unfinished uploads: finish or abort some of them first',
  },
  TooManyRequests: {
    status: 429,
    code: 'SlowDown',
    error: 'too_many_requests',
    httpStatus: 429,
    message: 'Too many requests of this client are in progress: try again shortly',
  },
  InsufficientStorage: {
    status: 507,
    httpStatus: 507,
    message: 'Not enough disk space is left for objects',
  },
  InvalidRange: {
    status: 416,
    error: 'invalid_range',
    httpStatus: 416,
    message: 'invalid range provided',
  },
  InvalidRequest: { status: 400, message: 'The request is invalid' },
  InvalidSchema: {
    status: 400,
    code: 'InvalidRequest',
    error: 'Error',
    message: 'The request does not match the schema of this endpoint',
  },
  InvalidXRobotsTag: {
    status: 400,
    code: 'InvalidRequest',
    error: 'invalid_x_robots_tag',
    message: 'Invalid X-Robots-Tag header',
  },
  InvalidContentType: {
    status: 415,
    code: 'InvalidMimeType',
    error: 'invalid_mime_type',
    message: 'Invalid Content-Type header',
  },
  NoContentProvided: { status: 400, code: 'InvalidRequest', message: 'No content provided' },
  RelatedResourceNotFound: {
    status: 404,
    code: 'InvalidRequest',
    message: 'The related resource does not exist',
  },
  InvalidParameter: { status: 400, message: 'Invalid Parameter' },
  MissingParameter: { status: 400, message: 'Missing Required Parameter' },
  RouteNotFound: {
    status: 404,
    code: 'InvalidRequest',
    error: 'Not Found',
    httpStatus: 404,
    message: 'Route not found',
  },
  ContentNotFound: {
    status: 404,
    code: 'NoSuchKey',
    error: 'Not found',
    message: 'The resource was not found',
  },
  FeatureNotEnabled: { status: 409, message: 'The feature is not enabled' },
  ResourceLocked: { status: 423, message: 'The resource is locked' },
  LockTimeout: { status: 503, error: 'acquiring_lock_timeout', message: 'acquiring lock timeout' },
  DatabaseTimeout: {
    status: 544,
    httpStatus: 544,
    message: 'The connection to the database timed out',
  },
  TooManyConnections: {
    status: 429,
    code: 'SlowDown',
    error: 'too_many_connections',
    httpStatus: 429,
    message: 'Too many connections issued to the database',
  },
  DatabaseReadOnly: {
    status: 503,
    message: 'The database is currently in read-only mode. Please try again later.',
  },
  DatabaseSchemaMismatch: { status: 503, message: 'The database schema is out of sync.' },
  SlowDown: { status: 503, message: 'The service is busy, try again later' },
  InternalError: { status: 500, httpStatus: 500, message: 'Internal server error' },
  DatabaseError: { status: 500, httpStatus: 500, message: 'database error' },
  SignatureDoesNotMatch: {
    status: 403,
    message: 'The request signature we calculated does not match the signature you provided',
  },
  InvalidAccessKeyId: {
    status: 403,
    message: 'The Access Key Id you provided does not exist in our records.',
  },
  MissingContentLength: { status: 400, message: 'You must provide the Content-Length HTTP header.' },
  MalformedXML: { status: 400, message: 'The XML you provided was not well-formed' },
  InvalidUploadId: { status: 400, message: 'Invalid upload id' },
  InvalidChecksum: { status: 400, message: 'The checksum does not match the content' },
  MissingPart: { status: 400, message: 'A part of the upload is missing' },
  InvalidUploadSignature: { status: 400, message: 'Invalid upload Signature' },
} as const satisfies Record<string, StorageErrorEntry>;

export type StorageErrorCode = keyof typeof storageErrors;

/** Creates an error of the catalogue. */
export const failure = defineErrors(storageErrors);
