/**
 * The part of an `AbortSignal` that one listener needs to cancel a statement. An `AbortSignal` satisfies it. The data
 * API creates one for each request and hardly any of them aborts, so it passes a plain object, which costs less than an
 * event target.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /**
   * Called once, when the signal aborts. The callee that waits sets it and resets it to null. An `AbortSignal` passes
   * itself and an event; other implementations may call it without arguments.
   */
  onabort: ((this: never, event: never) => unknown) | null;
}
