/** The result of a link, and the next step. */
import { useSyncExternalStore } from 'react';
import { usePage } from '../../lib/page/page-context.tsx';
import { oneTimePath } from '../../session/one-time-view.ts';
import { useSession } from '../../session/session-provider.tsx';
import { confirmTexts } from '../../texts/confirm.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { readCallback } from './callback.ts';
import { type LinkResult, linkResultOf } from './link-result.ts';

/** `result` is the server's; it does not receive the fragment of the URL, which may contain another one. */
export function ConfirmResult({ result }: { result: LinkResult }) {
  const inFragment = linkResultOf(readCallback(new URLSearchParams(useFragment())), useLanguage());
  const shown = result.kind === 'nothing' ? inFragment : result;
  const texts = useTexts(confirmTexts);
  const isProblem = shown.kind === 'problem';
  return (
    <Notice
      icon={isProblem ? 'alert' : 'mail'}
      isProblem={isProblem}
      title={titleOf(shown, texts)}
      text={
        isProblem ? (
          <p role="alert">{shown.text}</p>
        ) : (
          <p role="status">{shown.kind === 'other-link' ? texts.otherLinkText : texts.nothingText}</p>
        )
      }
    >
      <NextSteps isExpired={isProblem && shown.isExpired} />
    </Notice>
  );
}

function titleOf({ kind }: LinkResult, texts: (typeof confirmTexts)['en']): string {
  if (kind === 'problem') return texts.failedTitle;
  return kind === 'other-link' ? texts.otherLinkTitle : texts.nothingTitle;
}

/** Signed-in users can request another message on the account page. */
function NextSteps({ isExpired }: { isExpired: boolean }) {
  const texts = useTexts(confirmTexts);
  const { login } = usePage().config.redirectOptions;
  const { user } = useSession();
  return (
    <>
      <ButtonLink to={user ? '/account' : login} variant="primary" size="large" className="w-full">
        {user ? texts.toAccount : texts.toSignIn}
      </ButtonLink>
      {isExpired && !user && (
        <ButtonLink to={oneTimePath(login, 'code')} size="large" className="w-full">
          {texts.withCode}
        </ButtonLink>
      )}
    </>
  );
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
