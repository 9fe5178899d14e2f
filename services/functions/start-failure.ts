/** A function did not start. The message is for its author: it reaches the log, and never the client. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
