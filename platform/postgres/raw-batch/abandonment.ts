/** That nobody waits for an answer any more. */

/**
 * What tells it: the part of an `AbortSignal` that one listener needs. An `AbortSignal` is one; where each request has its
 * own and hardly any is ever told, a plain object costs less than an event target.
 */
export interface Abandonment {
  readonly aborted: boolean;
  readonly reason: unknown;
  /**
   * Called once, when it happens. Whoever waits sets it, and takes it back. An `AbortSignal` gives itself and an event,
   * others need not.
   */
  onabort: ((this: never, event: never) => unknown) | null;
}
