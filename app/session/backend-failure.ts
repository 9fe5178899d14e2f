/** Distinguishes a backend without a usable response from one that rejected the request. */

/** Names of the official client's errors for a missing or unreadable response. */
const FAILURE_NAMES = ['AuthRetryableFetchError', 'AuthUnknownError'];

/**
 * Returns whether an error of the auth client means that the backend failed, rather than that it rejected
 * the request.
 */
export function isBackendFailure(error: { name: string; status?: number | undefined }): boolean {
  return FAILURE_NAMES.includes(error.name) || (error.status !== undefined && error.status >= 500);
}
