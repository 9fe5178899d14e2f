/** Reads the body of a form up to a limit. A body with files is read on demand. */
import type { IncomingMessage } from 'node:http';

/** Maximum size of a form: 64 KiB. */
export const MAX_FORM_BYTES = 64 * 1024;

/** Maximum size of a form of the admin area, which may contain SQL: 1.5 MiB. */
export const MAX_ADMIN_FORM_BYTES = 1536 * 1024;

/** Maximum size of a body for a route of a product without a page: 1 MiB. */
export const MAX_ENDPOINT_BYTES = 1024 * 1024;

/** Maximum size of a JSON body for a route of the admin area: 4 MiB. It is read for administrators only. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Maximum size of a form with files, for users without scripts: 7 MiB, since it is held in memory. */
export const MAX_FILE_FORM_BYTES = 7 * 1024 * 1024;

/** The whole body, or the result that it is too large. */
export type BodyResult = { kind: 'complete'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'too-large' };

/** Reads at most `limit` bytes. Rejects if the client disconnects before the end. */
export async function readBody(request: IncomingMessage, limit: number): Promise<BodyResult> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must not be destroyed if this loop ends early: its connection still carries the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) {
      // A client that is disconnected while sending never reads the response, so the rest is received and
      // discarded.
      request.resume();
      return { kind: 'too-large' };
    }
    chunks.push(chunk);
  }
  return { kind: 'complete', bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/**
 * The error of a {@link streamBody} that is too large. The bundle has no access to this class, so it checks
 * the code.
 */
class FormTooLargeError extends Error {
  readonly code = 'form_too_large';
  readonly limit: number;

  constructor(limit: number) {
    super(`the form has more than ${limit} bytes`);
    this.limit = limit;
  }
}

/**
 * Returns the body as a stream that is read on demand. It errors with {@link FormTooLargeError} after
 * `limit` bytes, and if the client disconnects before the end.
 */
export function streamBody(request: IncomingMessage, limit: number): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) return controller.close();
        length += value.length;
        if (length <= limit) return controller.enqueue(new Uint8Array(value));
        request.resume();
        controller.error(new FormTooLargeError(limit));
      },
      cancel: () => void request.resume(),
    },
    { highWaterMark: 0 },
  );
}
