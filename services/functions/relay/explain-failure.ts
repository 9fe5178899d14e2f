/** Finds the reason why a request got no response: the process has ended, or cannot be reached. */
import { failure } from '../errors.ts';
import type { Worker } from '../runtime/worker.ts';

/** Returns the error of the catalogue for an error of a connection; other errors unchanged. */
export async function explainFailure(error: unknown, worker: Worker): Promise<unknown> {
  if (!isConnectionError(error)) return error;
  await waitForEnd(worker);
  switch (worker.endReason) {
    case 'memory':
    case 'cpu':
    case 'threads':
    case 'disk':
      return failure('WORKER_RESOURCE_LIMIT', { cause: error });
    case undefined:
      return failure('RELAY_ERROR', { cause: error });
    default:
      return failure('WORKER_ERROR', { cause: error });
  }
}

const EXIT_MS = 1000;

/** A connection ends shortly before its process is known to have ended. */
async function waitForEnd(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, EXIT_MS);
  await Promise.race([worker.ended, promise]);
  clearTimeout(timer);
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ('syscall' in error || error.code === 'ECONNRESET');
}
