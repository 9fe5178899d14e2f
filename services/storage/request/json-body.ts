/** Parses bodies of routes that accept JSON. Other media types are accepted, but their content is ignored. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Enough for a thousand keys of a thousand bytes in JSON. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;

/** Options of {@link acceptJson}. */
interface JsonBodyOptions {
  /** Whether the body may be empty although the content type is `application/json`. */
  mayBeEmpty?: boolean;
}

/** Adds the JSON parser to a scope. Call it before routes are added. */
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
