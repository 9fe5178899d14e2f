/** Renders React elements to HTML: whole if all of it is ready soon, otherwise as a stream. */
import type { Writable } from 'node:stream';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import type { RenderedPage } from '../../session/page-build.ts';

/** Options of {@link renderElement}. */
interface RenderOptions {
  nonce: string | undefined;
  /** Waits for pending parts instead of streaming them. */
  waitsForAll: boolean;
  /** Pending parts are given up after this time. */
  timeoutMs: number;
  /** Called for each error of the document or of a part. `isLate`: the promise has been resolved already. */
  onError(error: unknown, isLate: boolean): void;
}

type Stream = ReturnType<typeof renderToPipeableStream>;

/** Resolves when a response can begin. Rejects if the document itself fails, without its pending parts. */
export function renderElement(element: ReactElement, options: RenderOptions): Promise<RenderedPage> {
  const { nonce, waitsForAll, timeoutMs, onError } = options;
  return new Promise((resolve, reject) => {
    let immediate: NodeJS.Immediate | undefined;
    let isComplete = false;
    let isResolved = false;
    const respond = () => {
      clearImmediate(immediate);
      if (isResolved) return;
      isResolved = true;
      resolve(isComplete ? collect(stream, timer) : (destination) => write(stream, destination, timer));
    };
    const stream = renderToPipeableStream(element, {
      ...(nonce !== undefined && { nonce }),
      // Keeps finished parts in place. React would move parts of a long page to its end and insert them by
      // scripts: without scripts they would be missing.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // The router's own data is ready a few microtasks after the shell: by then, most pages can be sent
      // whole, without scripts that insert pending parts.
      onShellReady: () => {
        if (!waitsForAll) immediate = setImmediate(respond);
      },
      onAllReady: () => {
        isComplete = true;
        respond();
      },
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error);
      },
      onError: (error) => onError(error, isResolved),
    });
    const timer = setTimeout(stream.abort, timeoutMs);
  });
}

/** Returns the HTML of a complete page, which React writes at once. */
function collect({ pipe }: Stream, timer: NodeJS.Timeout): Uint8Array {
  clearTimeout(timer);
  const chunks: Uint8Array[] = [];
  // React writes parts of new buffers, and long texts.
  const memory = {
    write: (chunk: string | Uint8Array) =>
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) > 0,
    end: () => {},
    on: () => memory,
  };
  pipe(memory as unknown as Writable);
  return Buffer.concat(chunks);
}

function write({ pipe, abort }: Stream, destination: Writable, timer: NodeJS.Timeout): void {
  destination.once('close', () => {
    clearTimeout(timer);
    if (!destination.writableFinished) abort();
  });
  pipe(destination);
}
