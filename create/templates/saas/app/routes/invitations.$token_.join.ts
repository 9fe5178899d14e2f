/**
 * Where visitors begin to accept an invitation. The guard saves this path, sends them to the sign-in page, and brings them back
 * after they have signed in or created an account.
 */
import type { LoaderArgs } from 'greenroom/app';
import { redirect } from 'react-router';

export const guard = 'signedIn';

/** Returns to the invitation. */
export function loader({ params }: LoaderArgs) {
  return redirect(`/invitations/${encodeURIComponent(String(params.token))}`);
}
