/** A sign-out that waits for an answer, because edits in this browser are not sent yet. */
import { openOverlay } from '../shortcuts/lazy-shortcuts.tsx';
import type { SignOutScope } from './scopes.ts';

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
