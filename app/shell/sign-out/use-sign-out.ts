/** Signs out by script, on any page. */
import { type FormEvent, useEffect } from 'react';
import { useFetcher } from 'react-router';
import { countRunningUploads } from '../../lib/running-uploads.ts';
import { countUnsentEdits } from '../../lib/unsent-edits.ts';
import { parseSignOutScope, type SignOutScope } from '../../session/scopes.ts';
import { useSession } from '../../session/session-provider.tsx';
import { afterSignOut, beginSignOut, cancelSignOut } from '../../session/sign-out-events.ts';
import { navigationTexts } from '../../texts/navigation.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { useToast } from '../../ui/use-toast.ts';
import type { signOut } from './sign-out.server.ts';
import { openUnsentDialog } from './unsent.ts';

/**
 * `Form` is for forms with a `scope`, sent to `/sign-out`, with `onSubmit` as its handler. A toast shows
 * the result. Offline, a toast reports that and nothing is sent. If this browser has unsent edits or
 * running uploads, the user must confirm first.
 */
export function useSignOut() {
  const { Form, submit: send, data: outcome } = useFetcher<typeof signOut>();
  const { user } = useSession();
  const { add } = useToast();
  const texts = useTexts(navigationTexts);
  useEffect(() => {
    if (!outcome) return;
    // The server redirects after a sign-out on this device, so a user who gets a response is still signed
    // in.
    cancelSignOut();
    add({ kind: outcome.kind, title: outcome.message });
  }, [outcome, add]);
  /** Returns whether the sign-out cannot be sent now, and shows the reason. */
  const isBlocked = (scope: SignOutScope): boolean => {
    if (!navigator.onLine) {
      add({ kind: 'error', title: texts.signOutOffline });
      return true;
    }
    if (scope === 'others' || !user) return false;
    if (countUnsentEdits(window, user.sub) === 0 && countRunningUploads(user.sub) === 0) return false;
    openUnsentDialog(scope);
    return true;
  };
  const begin = (scope: SignOutScope) => {
    if (scope !== 'others' && user) beginSignOut(user.sub);
  };
  const submitAnyway = (scope: SignOutScope) => {
    begin(scope);
    void send({ scope }, { method: 'post', action: '/sign-out' });
  };
  return {
    Form,
    submitAnyway,
    submit: (scope: SignOutScope) => isBlocked(scope) || submitAnyway(scope),
    onSubmit(event: FormEvent<HTMLFormElement>) {
      const { submitter } = event.nativeEvent as SubmitEvent;
      const scope = parseSignOutScope(new FormData(event.currentTarget, submitter).get('scope'));
      if (!scope) return;
      if (isBlocked(scope)) event.preventDefault();
      else begin(scope);
    },
  };
}

/** A shared device must not reveal which files a user had begun to upload. */
if (typeof window !== 'undefined') {
  afterSignOut((userId) => {
    void import('../../session/unfinished-uploads.ts').then(
      ({ forgetAllUnfinished }) => forgetAllUnfinished(window, userId),
      () => {},
    );
  });
}
