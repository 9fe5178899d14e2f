/** Parameters of the token endpoint: a form (RFC 6749 §4.1.3), or JSON, which GoTrue also accepts. */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import type { AuthRequest } from '../contracts/request.ts';
import { parseForm } from '../http/form-body.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { parseBody } from '../http/request-body.ts';

const jsonFields = z.record(z.string(), z.unknown());

/** Returns a parameter by name; '' if it is absent or empty (RFC 6749 §3.2). */
export type Parameters = (name: string) => string;

/** Parses a body. Throws `invalid_request`, also for repeated parameters. */
export function readParameters(request: AuthRequest): Parameters {
  const isJson = /^application\/json\b/i.test(request.header('content-type') ?? '');
  return isJson ? jsonParameters(request) : formParameters(parseFormBody(request));
}

function parseFormBody({ body }: AuthRequest): URLSearchParams {
  try {
    return parseForm(body);
  } catch (error) {
    throw error instanceof CatalogueError ? new OAuthError('invalid_request', error.message) : error;
  }
}

/**
 * Returns parameters of a query or form. Rejects repeated ones (RFC 6749 §3.1), since two readers might use
 * different values.
 */
export function formParameters(form: URLSearchParams): Parameters {
  const names = [...form.keys()];
  if (new Set(names).size < names.length)
    throw new OAuthError('invalid_request', 'A parameter must not be sent twice');
  return (name) => form.get(name) ?? '';
}

function jsonParameters({ body }: AuthRequest): Parameters {
  const fields = readJson(body);
  return (name) => {
    const value = Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
    if (typeof value === 'string') return value;
    throw new OAuthError('invalid_request', `${name} must be a string`);
  };
}

function readJson(body: Uint8Array | undefined): Record<string, unknown> {
  try {
    return parseBody(body, jsonFields);
  } catch (error) {
    throw error instanceof CatalogueError ? new OAuthError('invalid_request', 'Invalid JSON body') : error;
  }
}
