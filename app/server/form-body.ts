/** Reads the body of a form, and no more of it than a form may have. A body with files is read once it is wanted. */
import type { IncomingMessage } from 'node:http';

/** Largest body of a form: 64 KiB. */
export const MAX_FORM_BYTES = 64 * 1024;

/** Largest body of a form with files, for people without scripts: 7 MiB, since whoever reads it holds it in memory. */
export const MAX_FILE_FORM_BYTES = 7 * 1024 * 1024;

/** The whole body, or the finding that it is too large. */
export type BodyReading = { kind: 'complete'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'too-large' };

/** Reads at most `limit` bytes. Rejects when the visitor leaves before the end. */
export async function readBody(request: IncomingMessage, limit: number): Promise<BodyReading> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must outlive an early end of this loop: its connection still carries the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) {
      // A visitor who is cut off while still sending never gets to read why.
      request.resume();
      return { kind: 'too-large' };
    }
    chunks.push(chunk);
  }
  return { kind: 'complete', bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** What a {@link streamBody} ends with that is too large. The bundle has no part in this class: it looks at the code. */
class FormTooLargeError extends Error {
  readonly code = 'form_too_large';
  readonly limit: number;

  constructor(limit: number) {
    super(`the form has more than ${limit} bytes`);
    this.limit = limit;
  }
}

/**
 * The body, of which nothing is read before somebody asks for it. It errors with {@link FormTooLargeError} after `limit`
 * bytes, and when the visitor leaves before the end.
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
