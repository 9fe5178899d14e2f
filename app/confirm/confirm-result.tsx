/** What went wrong with a link, and what to do next. */
import { useSyncExternalStore } from 'react';
import { describeAuthError } from '../login/auth-errors.ts';
import { usePage } from '../request/page-context.tsx';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { readCallback } from './callback.ts';

/** `problem` is the server's finding; it does not see the fragment of the address, in which there may be another. */
export function ConfirmResult({ problem }: { problem: string | undefined }) {
  const { redirectOptions } = usePage().config;
  const fragment = useFragment();
  const shown = problem ?? problemInFragment(fragment);
  return (
    <div className="mx-auto w-full max-w-100 px-4 py-10 sm:my-auto">
      <section className="card grid gap-5 p-6 sm:p-8" aria-labelledby="confirm-title">
        <h1 id="confirm-title" className="text-center text-xl font-semibold tracking-tight">
          {shown ? 'This did not work' : 'Nothing to confirm'}
        </h1>
        {shown ? (
          <Alert kind="error">{shown}</Alert>
        ) : (
          <p className="text-center text-sm text-ink-muted">
            Open the link in the message we sent you, or sign in with your password.
          </p>
        )}
        <ButtonLink to={redirectOptions.login} look="primary" size="large" className="w-full">
          Go to sign in
        </ButtonLink>
      </section>
    </div>
  );
}

function problemInFragment(fragment: string): string | undefined {
  const callback = readCallback(new URLSearchParams(fragment));
  if (callback.kind !== 'error') return undefined;
  return describeAuthError({ name: 'AuthApiError', status: 400, ...callback }).message;
}

function useFragment(): string {
  return useSyncExternalStore(
    subscribeToFragment,
    () => location.hash.slice(1),
    () => '',
  );
}

function subscribeToFragment(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
