/**
 * Sign-out events, for modules that keep a user's data in this browser. Listeners run before the sign-out
 * is sent, and again after the user is signed out. If the sign-out fails, the second event does not occur.
 */

/** Receives the user's id. */
type Listener = (userId: string) => void;

const beforeListeners = new Set<Listener>();
const afterListeners = new Set<Listener>();
let pendingUserId: string | undefined;

/** Calls `listener` while the session still exists. Returns a function that unsubscribes. */
export function beforeSignOut(listener: Listener): () => void {
  return addListener(beforeListeners, listener);
}

/** Calls `listener` after a user has signed out. Returns a function that unsubscribes. */
export function afterSignOut(listener: Listener): () => void {
  return addListener(afterListeners, listener);
}

function addListener(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts a sign-out: runs the listeners of {@link beforeSignOut}. */
export function beginSignOut(userId: string): void {
  pendingUserId = userId;
  for (const listener of beforeListeners) listener(userId);
}

/** Cancels a sign-out that failed. */
export function cancelSignOut(): void {
  pendingUserId = undefined;
}

/** Completes a sign-out. Call it when the signed-in user changes. An expired session is no sign-out. */
export function completeSignOut(userId: string | undefined): void {
  const signedOut = pendingUserId;
  if (signedOut === undefined || signedOut === userId) return;
  pendingUserId = undefined;
  for (const listener of afterListeners) listener(signedOut);
}
