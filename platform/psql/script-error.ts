/** A script cannot be run as it is written, or one of its statements failed. The message has the file and the line. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}
