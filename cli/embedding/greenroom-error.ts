/** The start of an instance from a program failed. */
export class GreenroomError extends Error {
  override readonly name = 'GreenroomError';
  /**
   * Name of the error: `ConfigError` (a wrong setting), `PortInUseError`, `FolderInUseError`, `ProjectError` (a migration
   * or a seed), `AbortError` (the signal of the caller), or `Error`.
   */
  readonly reason: string;

  /** @param message the lines that `greenroom start` prints for the same error, without `error:` */
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}
