/** A sign-out that waits for the user's confirmation, because edits in this browser are not sent yet. */

import type { SignOutScope } from '../../session/scopes.ts';
import { openOverlay } from '../shortcuts/overlay-loader.ts';

let asked: SignOutScope = 'local';

/** Opens the confirmation. */
export function askAboutUnsent(scope: SignOutScope): void {
  asked = scope;
  openOverlay('unsent');
}

/** Returns the scope of the last request. */
export function askedScope(): SignOutScope {
  return asked;
}
