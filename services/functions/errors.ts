/** The errors of functions, with codes and texts of the hosted service, which clients compare. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/** The catalogue: code → status and text. docs/reference/functions.md explains each code. */
const functionsErrors = {
  NOT_FOUND: { status: 404, message: 'Requested function was not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not supported' },
  UNAUTHORIZED_NO_AUTH_HEADER: { status: 401, message: 'Missing authorization header' },
  UNAUTHORIZED_INVALID_JWT_FORMAT: { status: 401, message: 'Invalid JWT format' },
  UNAUTHORIZED_LEGACY_JWT: { status: 401, message: 'Invalid JWT' },
  UNAUTHORIZED_ASYMMETRIC_JWT: { status: 401, message: 'Invalid JWT' },
  UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM: { status: 401, message: 'Unsupported JWT algorithm' },
  FORBIDDEN: { status: 403, message: 'This request needs the secret key or the service_role key' },
  INVALID_BUNDLE: { status: 400, message: 'The bundle is not valid' },
  BUNDLE_TOO_LARGE: { status: 413, message: 'The files of the function are larger than 20 MB' },
  DEPLOY_FAILED: { status: 422, message: 'The function cannot be prepared' },
  NOT_DEPLOYED: { status: 404, message: 'This function is not deployed in this instance' },
  NO_SUCH_VERSION: { status: 404, message: 'The function has no such version' },
  INVALID_SECRETS: { status: 400, message: 'The secrets are not valid' },
  SERVE_ACTIVE: { status: 409, message: 'greenroom functions serve runs already for this instance' },
  INVALID_REQUEST: { status: 400, message: 'The body of the request is not valid' },
  BODY_TOO_LARGE: { status: 413, message: 'The body of the request is too large' },
  BOOT_ERROR: { status: 503, message: 'Function failed to start (please check logs)' },
  WORKER_ERROR: { status: 500, message: 'Function exited due to an error (please check logs)' },
  INVALID_RESPONSE: { status: 502, message: 'The function sent an invalid response (please check logs)' },
  WORKER_LIMIT: { status: 503, message: 'Too many functions are running' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests of this client are running' },
  WORKER_RESOURCE_LIMIT: {
    status: 546,
    message: 'Worker failed to respond due to a resource limit (please check logs)',
  },
  IDLE_TIMEOUT: { status: 504, message: 'The function did not respond in time' },
  RELAY_ERROR: { status: 502, message: 'The runtime of functions is not available' },
} as const satisfies Record<string, CatalogueEntry>;

/** Creates an error of the catalogue. */
export const failure = defineErrors(functionsErrors);
