/** Errors raised in front of the services, and their format: `{message, code, hint?}`. */
import { type CatalogueError, defineErrors } from '@greenroom/errors';

/** The catalogue of errors raised before a request reaches a service. */
export const gatewayErrors = {
  api_key_missing: { status: 401, message: 'No API key found in request' },
  api_key_invalid: { status: 401, message: 'Invalid API key' },
  bad_request: { status: 400, message: 'The request is not valid HTTP' },
  https_required: { status: 400, message: 'This port speaks HTTPS. Use an https:// URL.' },
  several_hosts: { status: 400, message: 'The request has more than one Host header' },
  bad_url: { status: 400, message: 'The path is not valid percent-encoded UTF-8' },
  uri_too_long: { status: 414, message: 'The URL is too long' },
  headers_too_large: { status: 431, message: 'The headers are too large' },
  request_timeout: { status: 408, message: 'The request timed out before it was complete' },
  not_found: { status: 404, message: 'No route matches this path' },
  body_too_large: { status: 413, message: 'The body is too large' },
  too_many_connections: {
    status: 429,
    message: 'Too many connections are open. Close some of them and try again.',
  },
  too_many_requests: { status: 429, message: 'Too many requests are waiting. Try again in a moment.' },
  too_many_bodies: {
    status: 429,
    message: 'Too many bytes of request bodies are in transit. Try again in a moment.',
  },
  unexpected_failure: { status: 500, message: 'Something went wrong on our side' },
  unavailable: { status: 503, message: 'The server is shutting down' },
} as const;

export type GatewayErrorCode = keyof typeof gatewayErrors;

export const gatewayError = defineErrors(gatewayErrors);

/** Returns the body of an error response. The optional hint is in the error's `extra`. */
export function gatewayErrorBody(error: CatalogueError): Record<string, unknown> {
  return { message: error.message, code: error.code, ...error.extra };
}
