/** A sign-out that waits for an answer, because edits in this browser are not sent yet. */

import type { SignOutScope } from '../../session/scopes.ts';
import { openOverlay } from '../shortcuts/overlay-loader.ts';

let asked: SignOutScope = 'local';

/** Opens the question. */
export function askAboutUnsent(scope: SignOutScope): void {
  asked = scope;
  openOverlay('unsent');
}

/** What was asked for last. */
export function askedScope(): SignOutScope {
  return asked;
}
