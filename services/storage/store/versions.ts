/**
 * Creates versions of objects: random UUIDs, but consecutive ones begin with the same two digits. A disk store chooses the
 * folder by these digits, so the names of concurrent uploads become durable by one sync of one folder.
 */
import { randomInt, randomUUID } from 'node:crypto';

const DIGITS = 2;
const BEGINNINGS = 16 ** DIGITS;
/** Consecutive versions with the same beginning: more than the uploads that usually run at once. */
const SAME_BEGINNING = 64;

/** Versions of one process. */
export class Versions {
  #count = randomInt(BEGINNINGS) * SAME_BEGINNING;

  next(): string {
    const beginning = Math.floor(this.#count / SAME_BEGINNING) % BEGINNINGS;
    this.#count += 1;
    return beginning.toString(16).padStart(DIGITS, '0') + randomUUID().slice(DIGITS);
  }
}
