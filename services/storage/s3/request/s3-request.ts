/** Requests and responses of S3 operations. */
import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import type { AccessContext } from '../../scope.ts';
import type { Headers } from '../signature/sent-signature.ts';
import type { Body } from './body.ts';
import type { Target } from './target.ts';

/** An authenticated request. */
export interface S3Request {
  context: Context;
  access: AccessContext;
  target: Target;
  /** Last value of each parameter. */
  query: ReadonlyMap<string, string>;
  headers: Headers;
  body: Body;
}

/** A response with XML, content, or no body. */
export interface S3Response {
  /** Default: 200. */
  status?: number;
  headers?: Readonly<Record<string, string | undefined>>;
  xml?: string;
  content?: Readable;
}

/** An operation of the S3 protocol. */
export interface Operation {
  /** Value of `storage.operation()` in policies. */
  name: string;
  run(request: S3Request): Promise<S3Response>;
}

/** Returns the first value of a header. */
export function headerOf({ headers }: Pick<S3Request, 'headers'>, name: string): string | undefined {
  return headers[name]?.[0];
}

/** Parses a parameter as a whole number; undefined if it is missing or empty. Throws InvalidRequest. */
export function numberOf(
  { query }: Pick<S3Request, 'query'>,
  name: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): number | undefined {
  const text = query.get(name);
  if (text === undefined || text === '') return undefined;
  const number = Number(text);
  if (!/^-?\d+$/.test(text) || number < min || number > max) {
    const limits = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw failure('InvalidRequest', { message: `Querystring ${name} must be a whole number ${limits}` });
  }
  return number;
}

const METADATA_PREFIX = 'x-amz-meta-';

/** Returns user metadata from headers `x-amz-meta-…`, with names in lower case. */
export function userMetadataOf({ headers }: Pick<S3Request, 'headers'>): Record<string, string> {
  return userMetadataFrom(Object.entries(headers).map(([name, values = []]) => [name, values.join(',')]));
}

/** Returns user metadata among headers or form fields with lower-case names. */
export function userMetadataFrom(named: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...named]
      .filter(([name]) => name.startsWith(METADATA_PREFIX))
      .map(([name, value]) => [name.slice(METADATA_PREFIX.length), value]),
  );
}
