/** A report that cannot be read. The message is for the user. */
export class InspectError extends Error {
  override readonly name = 'InspectError';
}
