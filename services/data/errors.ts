/** Every error that the data API answers with by itself, under PostgREST's codes and statuses. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/**
 * The catalogue: code → statuses (the first is the default) and default message. Errors of PostgreSQL have their
 * SQLSTATE as code and are no part of it. docs/reference/data.md explains it.
 *
 * The first digit tells the origin: 0 connection, 1 request, 2 schema cache, 3 token. Retired by PostgREST, and not to
 * be used again: 104, 109, 110, 113, 119.
 */
export const dataErrors = {
  PGRST000: { status: 503, message: 'The database cannot be reached' },
  PGRST001: { status: 503, message: 'The connection to the database was lost' },
  PGRST002: { status: 503, message: 'The schema cache is not there yet' },
  PGRST003: { status: 504, message: 'No connection to the database became free in time' },
  PGRST100: { status: 400, message: 'The query string could not be read' },
  PGRST101: { status: 405, message: 'Functions are called by GET, HEAD or POST' },
  PGRST102: { status: [400, 413], message: 'The body could not be read' },
  PGRST103: { status: 416, message: 'Requested range not satisfiable' },
  PGRST105: {
    status: 405,
    message: 'PUT needs a filter "eq" on each column of the primary key, and no others',
  },
  PGRST106: { status: 406, message: 'This schema is not exposed' },
  PGRST107: { status: 406, message: 'None of the accepted media types can be produced' },
  PGRST108: { status: 400, message: 'A parameter is about something that is not embedded' },
  PGRST111: {
    status: 500,
    message: 'response.headers must be a JSON array of objects with one key and a text each',
  },
  PGRST112: { status: 500, message: 'response.status must be an HTTP status' },
  PGRST114: { status: 400, message: 'PUT takes no limit and no offset' },
  PGRST115: { status: 400, message: 'The primary key in the body is not the one in the URL' },
  PGRST116: { status: 406, message: 'Cannot coerce the result to a single JSON object' },
  PGRST117: { status: 405, message: 'This method is not supported here' },
  PGRST118: { status: 400, message: 'Rows cannot be ordered by a relation that may have many rows' },
  PGRST120: { status: 400, message: 'What is embedded can be compared with null only' },
  PGRST121: { status: 500, message: "What RAISE SQLSTATE 'PGRST' says could not be read" },
  PGRST122: { status: 400, message: 'Unknown preferences, with handling=strict' },
  PGRST123: { status: 400, message: 'Aggregate functions are switched off' },
  PGRST124: { status: 400, message: 'More rows than max-affected allows' },
  PGRST125: { status: 404, message: 'There is nothing at this path' },
  PGRST126: { status: 404, message: 'The document at the root is switched off' },
  PGRST127: { status: 400, message: 'This is not implemented' },
  PGRST128: { status: 400, message: 'max-affected needs a function that returns a set' },
  PGRST200: { status: 400, message: 'There is no such relationship' },
  PGRST201: { status: 300, message: 'There is more than one such relationship' },
  PGRST202: { status: 404, message: 'There is no such function' },
  PGRST203: { status: 300, message: 'There is more than one such function' },
  PGRST204: { status: 400, message: 'There is no such column' },
  PGRST205: { status: 404, message: 'There is no such relation' },
  PGRST300: { status: 500, message: 'A token was sent, and there is no key to verify it with' },
  PGRST301: { status: 401, message: 'The token could not be verified' },
  PGRST302: { status: 401, message: 'Anonymous access is disabled' },
  PGRST303: { status: 401, message: 'The claims of the token are not valid' },
  PGRSTX00: { status: 500, message: 'Something went wrong on our side' },
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type DataErrorCode = keyof typeof dataErrors;

/** What the answer tells besides code and message, as `extra` of a CatalogueError. */
export interface ErrorExtra extends Record<string, unknown> {
  /** A text; of PGRST201 a list. */
  details?: unknown;
  hint?: string | null;
}

/**
 * Makes an error of the catalogue, to be thrown.
 *
 * @example
 * throw failure('PGRST205', { message: 'There is no relation api.filmz', extra: { hint: 'Perhaps api.films' } });
 */
export const failure = defineErrors(dataErrors);
