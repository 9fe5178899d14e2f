/** The outcome of a check. */
export interface CheckResult {
  isOk: boolean;
  /** The finding in English, without secrets. */
  message: string;
}

/** Returns the reason of an error, including that of `fetch`, which is in the cause of its error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause === undefined) return error.message;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return `${error.message}: ${String(code ?? message ?? cause)}`;
}
