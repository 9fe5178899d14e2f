/** What went wrong with a link, and what to do next. */
import { useSyncExternalStore } from 'react';
import { describeAuthError } from '../login/auth-errors.ts';
import { usePage } from '../request/page-context.tsx';
import { confirmTexts } from '../texts/confirm.ts';
import type { Language } from '../texts/language.ts';
import { useLanguage, useTexts } from '../texts/use-texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { readCallback } from './callback.ts';

/** `problem` is the server's finding; it does not see the fragment of the address, in which there may be another. */
export function ConfirmResult({ problem }: { problem: string | undefined }) {
  const texts = useTexts(confirmTexts);
  const { redirectOptions } = usePage().config;
  const inFragment = problemInFragment(useFragment(), useLanguage());
  const shown = problem ?? inFragment;
  return (
    <Notice
      icon={shown ? 'alert' : 'mail'}
      isProblem={shown !== undefined}
      title={shown ? texts.failed : texts.nothing}
      text={shown ? <p role="alert">{shown}</p> : texts.nothingText}
    >
      <ButtonLink to={redirectOptions.login} look="primary" size="large" className="w-full">
        {texts.toSignIn}
      </ButtonLink>
    </Notice>
  );
}

function problemInFragment(fragment: string, language: Language): string | undefined {
  const callback = readCallback(new URLSearchParams(fragment));
  if (callback.kind !== 'error') return undefined;
  return describeAuthError({ name: 'AuthApiError', status: 400, ...callback }, language).message;
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
