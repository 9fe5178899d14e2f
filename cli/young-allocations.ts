/**
 * Controls in which heap space V8 allocates a server's objects. V8 records for each allocation site how many of its
 * objects live long, and allocates those of some sites directly in the old space ("allocation site pretenuring"). A
 * server has sites that allocate objects for connections as well as for requests: all lists of event listeners are
 * allocated at one site in Node.js. In the old space, the listener list of a request keeps the request, its response
 * and everything they refer to alive until the next full collection, long after they are unused: a tenth to a fifth of
 * all allocations, and up to a third of the time of a busy process. See docs/decisions/022.
 */
import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all objects in the young space, and move only those that do live long. Must be called before a
 * server starts but after its code has been loaded: V8 rejects cached code that was created with other flags.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
