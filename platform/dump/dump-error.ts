/** A database that cannot be dumped. The message is for the user. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}
