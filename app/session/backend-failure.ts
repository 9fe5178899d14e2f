/** Tells a backend that gave no usable answer from one that said no. */

/** Names of the official client's errors that stand for a missing or unreadable answer. */
const FAILURE_NAMES = ['AuthRetryableFetchError', 'AuthUnknownError'];

/** Tells whether an error of the auth client means that the backend failed, rather than that it refused. */
export function isBackendFailure(error: { name: string; status?: number | undefined }): boolean {
  return FAILURE_NAMES.includes(error.name) || (error.status !== undefined && error.status >= 500);
}
