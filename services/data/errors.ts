/** The errors that the data API reports itself, under PostgREST's codes and statuses. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/**
 * The catalogue: code → statuses (the first is the default) and default message. Errors of PostgreSQL are not in it;
 * their SQLSTATE is the code. docs/reference/data.md describes each error. Messages equal PostgREST's if it has one,
 * both here and where errors are created, because some clients compare messages.
 *
 * The first digit is the origin: 0 connection, 1 request, 2 schema cache, 3 token; X is the server as a whole.
 * PostgREST has no PGRSTX01. PostgREST retired 104, 109, 110, 113 and 119; do not reuse them.
 */
export const dataErrors = {
  PGRST000: { status: 503, message: 'Database connection error.' },
  PGRST001: { status: 503, message: 'Database client error. Retrying the connection.' },
  PGRST002: { status: 503, message: 'Could not query the database for the schema cache. Retrying.' },
  PGRST003: { status: 504, message: 'Timed out acquiring connection from connection pool.' },
  PGRST100: { status: 400, message: 'The query string could not be parsed' },
  PGRST101: { status: 405, message: 'Functions can only be called with GET, HEAD or POST' },
  PGRST102: { status: [400, 413], message: 'The body could not be parsed' },
  PGRST103: { status: 416, message: 'Requested range not satisfiable' },
  PGRST105: {
    status: 405,
    message: "Filters must include all and only primary key columns with 'eq' operators",
  },
  PGRST106: { status: 406, message: 'Invalid schema' },
  PGRST107: { status: 406, message: 'None of these media types are available' },
  PGRST108: { status: 400, message: 'A parameter refers to a resource that is not embedded' },
  PGRST111: {
    status: 500,
    message:
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  },
  PGRST112: { status: 500, message: 'response.status guc must be a valid status code' },
  PGRST114: { status: 400, message: 'limit/offset querystring parameters are not allowed for PUT' },
  PGRST115: { status: 400, message: 'Payload values do not match URL in primary key column(s)' },
  PGRST116: { status: 406, message: 'Cannot coerce the result to a single JSON object' },
  PGRST117: { status: 405, message: 'Unsupported HTTP method' },
  PGRST118: { status: 400, message: 'A related order is not possible' },
  PGRST120: { status: 400, message: 'Bad operator on an embedded resource' },
  PGRST121: { status: 500, message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error' },
  PGRST122: { status: 400, message: 'Invalid preferences given with handling=strict' },
  PGRST123: { status: 400, message: 'Use of aggregate functions is not allowed' },
  PGRST124: { status: 400, message: 'Query result exceeds max-affected preference constraint' },
  PGRST125: { status: 404, message: 'Invalid path specified in request URL' },
  PGRST126: { status: 404, message: 'Root endpoint metadata is disabled' },
  PGRST127: { status: 400, message: 'Feature not implemented' },
  PGRST128: {
    status: 400,
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  },
  PGRST200: { status: 400, message: 'Relationship not found' },
  PGRST201: { status: 300, message: 'More than one relationship found' },
  PGRST202: { status: 404, message: 'Function not found' },
  PGRST203: { status: 300, message: 'More than one function found' },
  PGRST204: { status: 400, message: 'Column not found' },
  PGRST205: { status: 404, message: 'Relation not found' },
  PGRST300: { status: 500, message: 'Server lacks JWT secret' },
  PGRST301: { status: 401, message: "JWT couldn't be decoded" },
  PGRST302: { status: 401, message: 'Anonymous access is disabled' },
  PGRST303: { status: 401, message: 'Parsing claims failed' },
  PGRSTX01: { status: 429, message: 'Too many requests of this client are waiting' },
  PGRSTX00: { status: 500, message: 'Something went wrong on our side' },
} as const satisfies Record<string, CatalogueEntry>;

export type DataErrorCode = keyof typeof dataErrors;

/** The fields of an error response in addition to code and message; `extra` of a CatalogueError. */
export interface ErrorExtra extends Record<string, unknown> {
  /** A text, except for PGRST201, where it is a list. */
  details?: unknown;
  hint?: string | null;
}

/**
 * Creates an error of the catalogue. The caller throws it.
 *
 * @example
 * throw failure('PGRST205', { message: 'There is no relation api.filmz', extra: { hint: 'Perhaps api.films' } });
 */
export const failure = defineErrors(dataErrors);
