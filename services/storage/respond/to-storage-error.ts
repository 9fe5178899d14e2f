/** Maps errors of PostgreSQL, Fastify and other origins to errors of the catalogue. */
import { CatalogueError } from '@greenroom/errors';
import { isConnectError, isLostConnection, PoolTimeoutError } from '@greenroom/postgres';
import type { FastifyError } from 'fastify';
import pg from 'pg';
import { failure } from '../errors.ts';

/** Maps any thrown value to an error of the catalogue, with the original as its `cause`. */
export function toStorageError(error: unknown): CatalogueError {
  if (error instanceof CatalogueError) return error;
  if (error instanceof pg.DatabaseError) return fromPostgres(error);
  if (error instanceof PoolTimeoutError || isConnectError(error) || isLostConnection(error)) {
    return failure('DatabaseTimeout', { cause: error });
  }
  return fromFastify(error as FastifyError) ?? failure('InternalError', { cause: error });
}

const RLS_MESSAGE = 'new row violates row-level security policy';
/** SQLSTATEs for values that PostgreSQL cannot parse, e.g. a NUL in a text. */
const UNREADABLE = ['22P02', '22P05', '22007', '22008', '22021', '22023'];
/** SQLSTATE that storage.require_few_uploads raises. */
const TOO_MANY_UPLOADS = 'PT429';
const CLASS_OF_CONNECTIONS = '08';

function fromPostgres(error: pg.DatabaseError): CatalogueError {
  const { code = '', message } = error;
  if (UNREADABLE.includes(code)) return fromUnreadable(error);
  if (code.startsWith(CLASS_OF_CONNECTIONS)) return failure('DatabaseTimeout', { cause: error });
  switch (code) {
    case '42501':
      return failure('AccessDenied', {
        message: message.includes('row-level security') ? RLS_MESSAGE : message,
      });
    case '23505':
      return failure('ResourceAlreadyExists');
    case '23503':
      return fromForeignKey(error);
    case '55P03':
      return failure('ResourceLocked', { cause: error });
    case TOO_MANY_UPLOADS:
      return failure('TooManyUploads');
    case '57014':
    case '57P01':
    case '57P03':
      return failure('DatabaseTimeout', { cause: error });
    case '53300':
      return failure('TooManyConnections', { cause: error });
    case '25006':
      return failure('DatabaseReadOnly', { cause: error });
    case '42703':
    case '42P01':
      return failure('DatabaseSchemaMismatch', { cause: error });
    default:
      return failure('DatabaseError', { message: `database error, code: ${code}`, cause: error });
  }
}

/** An unknown role is an error of the token, so it maps to AccessDenied. */
function fromUnreadable(error: pg.DatabaseError): CatalogueError {
  const { message } = error;
  if (/^role ".*" does not exist$/s.test(message) || message.includes('parameter "role"')) {
    return failure('AccessDenied', { message });
  }
  return failure('InvalidParameter', { message });
}

const REFERENCED = 'The resource could not be updated or removed due to a foreign key constraint';
const UPLOADING = 'The bucket could not be updated because it is referenced by a pending multipart upload.';

function fromForeignKey({ detail, constraint }: pg.DatabaseError): CatalogueError {
  if (!detail?.includes('is still referenced from table')) return failure('RelatedResourceNotFound');
  const isUploading = constraint?.startsWith('s3_multipart_uploads_') ?? false;
  return failure('ResourceReferenced', { message: isUploading ? UPLOADING : REFERENCED });
}

/** Maps client errors of Fastify: violations of HTTP, JSON or the route's schema. */
function fromFastify({ code, message, statusCode }: Partial<FastifyError>): CatalogueError | undefined {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return failure('InvalidContentType');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return failure('EntityTooLarge', { message: 'The request body exceeded the maximum allowed size' });
  }
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return undefined;
  return failure('InvalidSchema', message === undefined ? {} : { message });
}
