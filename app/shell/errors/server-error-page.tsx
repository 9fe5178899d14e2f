/** The page for all other errors. It shows the reason; only a 503 offers a retry, because it is temporary. */
import type { ErrorDescription } from './describe-error.ts';
import { ErrorMessage } from './error-message.tsx';
import { RetryNotice } from './retry-notice.tsx';

/** Shows the error, and a retry for a 503. */
export default function ServerErrorPage(description: ErrorDescription) {
  return <ErrorMessage {...description}>{description.status === 503 && <RetryNotice />}</ErrorMessage>;
}
