/** A database that cannot be described, or a file that cannot be written. The message is for the user. */
export class TypesError extends Error {
  override readonly name = 'TypesError';
}
