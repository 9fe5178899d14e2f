/**
 * Where V8 makes what a server allocates. It notes for each place in the code how much of what is made there lives long,
 * and makes that of some places in the old space from the beginning ("allocation site pretenuring"). A server has places
 * that make things for connections and for requests alike: the lists of an event's listeners are all made in one place of
 * Node.js. Made in the old space, the list of a request keeps the request, its answer and all that they refer to until the
 * next full collection, however long they have been done with: a tenth to a fifth of all that is allocated, and up to a third
 * of the time of a busy process. See docs/decisions/022.
 */
import { setFlagsFromString } from 'node:v8';

/**
 * From now on everything is made in the young space, and moved only if it does live long. Called before a server starts,
 * but when its code has been loaded: cached code is not taken by a V8 with other flags.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
