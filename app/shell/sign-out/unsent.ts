/** A sign-out that waits for the user's confirmation, because edits in this browser are not sent yet. */

import type { SignOutScope } from '../../session/scopes.ts';
import { openOverlay } from '../shortcuts/overlay-loader.ts';

let requested: SignOutScope = 'local';

/** Opens the confirmation. */
export function openUnsentDialog(scope: SignOutScope): void {
  requested = scope;
  openOverlay('unsent');
}

/** Returns the scope of the last request. */
export function requestedScope(): SignOutScope {
  return requested;
}
