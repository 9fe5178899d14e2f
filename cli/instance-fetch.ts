/** Requests to the running instance. */
import { createPinnedFetch } from '@greenroom/tls';
import type { InstanceView } from './instance.ts';

/** Returns a fetch that trusts the certificate of the instance. It throws an error with the remedy if none responds. */
export function createInstanceFetch({
  apiUrl,
  certificate,
}: Pick<InstanceView, 'apiUrl' | 'certificate'>): typeof fetch {
  const send = certificate === undefined ? fetch : createPinnedFetch(apiUrl, () => certificate);
  return (input, init) =>
    send(input, init).catch((cause: unknown) => {
      if (init?.signal?.aborted) throw cause;
      throw notResponding(apiUrl, cause);
    });
}

/** Returns the error for an instance that does not respond. */
export function notResponding(apiUrl: string, cause: unknown): Error {
  return new Error(`${apiUrl} does not respond. Start the instance first: greenroom start`, { cause });
}
