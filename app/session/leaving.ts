/**
 * Signing out, for those parts of the app that hold something of a person in this browser: they are told before it is
 * sent, and once the person is gone. Where it fails, the second never comes.
 */

/** Gets the person's id. */
type Listener = (userId: string) => void;

const atBegin = new Set<Listener>();
const onceGone = new Set<Listener>();
let leaving: string | undefined;

/** Calls `listener` while the session is still there. Returns how to stop. */
export function beforeSignOut(listener: Listener): () => void {
  return listenIn(atBegin, listener);
}

/** Calls `listener` once a person has signed out. Returns how to stop. */
export function afterSignOut(listener: Listener): () => void {
  return listenIn(onceGone, listener);
}

function listenIn(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Somebody is about to sign out. */
export function beginSignOut(userId: string): void {
  leaving = userId;
  for (const listener of atBegin) listener(userId);
}

/** They are still here. */
export function cancelSignOut(): void {
  leaving = undefined;
}

/** To be called when it changes who is signed in. A session that ends by itself is no sign-out. */
export function settleSignOut(userId: string | undefined): void {
  const gone = leaving;
  if (gone === undefined || gone === userId) return;
  leaving = undefined;
  for (const listener of onceGone) listener(gone);
}
