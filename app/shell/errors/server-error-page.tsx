/** For everything that failed otherwise: what happened is said. There is no way out to offer, but for a 503, which ends. */
import type { ErrorDescription } from './describe-error.ts';
import { ErrorMessage } from './error-message.tsx';
import { RetryNotice } from './retry-notice.tsx';

/** See the head of this file. */
export default function ServerErrorPage(description: ErrorDescription) {
  return <ErrorMessage {...description}>{description.status === 503 && <RetryNotice />}</ErrorMessage>;
}
