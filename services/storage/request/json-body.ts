/** Bodies of routes that take JSON: other media types are accepted, and what they hold is ignored. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A thousand keys of a thousand bytes, in JSON. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;

/** Options of {@link acceptJson}. */
interface JsonBodyOptions {
  /** Whether `content-type: application/json` may come with nothing. */
  mayBeEmpty?: boolean;
}

/** Lets the routes of a scope read JSON. Call before routes are added. */
export function acceptJson(scope: FastifyInstance, { mayBeEmpty = false }: JsonBodyOptions = {}): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_JSON_BYTES },
    (request, body, done) => {
      if (mayBeEmpty && body.length === 0) done(null, null);
      else parse(request, body as string, done);
    },
  );
  scope.addContentTypeParser('*', ignoreBody);
}

function ignoreBody(
  _request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  done: (error: null) => void,
): void {
  payload.resume();
  done(null);
}
