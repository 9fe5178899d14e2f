/** The result of a link, and the next step. */
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useSubmit } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import { oneTimePath } from '../../session/one-time-view.ts';
import { useSession } from '../../session/session-provider.tsx';
import { commonTexts } from '../../texts/common.ts';
import { confirmTexts } from '../../texts/confirm.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { FragmentSession } from './callback.ts';
import { type LinkResult, resultInBrowser } from './link-result.ts';

/** `result` is the server's; it does not receive the fragment of the URL, which may contain another one. */
export function ConfirmResult({ result }: { result: LinkResult }) {
  const shown = resultInBrowser(result, useFragment(), useLanguage());
  const texts = useTexts(confirmTexts);
  if (shown.kind === 'session') return <SessionInFragment session={shown.session} />;
  if (shown.kind === 'in-fragment') return <Opening />;
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

/**
 * Sends the session to the server, which sets the cookies. The entry in the browser's history is replaced. Without a response, the
 * address keeps the session, so that it can be sent again.
 */
function SessionInFragment({ session }: { session: FragmentSession }) {
  const submit = useSubmit();
  const { config } = usePage();
  const { tryAgain } = useTexts(commonTexts);
  const { pathname, search, hash } = useLocation();
  const isSignedIn = useSession().user !== null;
  const [attempt, setAttempt] = useState(1);
  const [hasStopped, setHasStopped] = useState(false);
  const sent = useRef(0);
  useEffect(() => {
    // Effects run twice during development.
    if (sent.current === attempt) return;
    sent.current = attempt;
    const { refreshToken, type } = session;
    const started = isSignedIn
      ? import('../../session/browser-client.ts').then(({ clientStarted }) => clientStarted(config))
      : Promise.resolve();
    const action = pathname + search + hash;
    void started
      .catch(() => undefined)
      .then(() => submit({ refresh_token: refreshToken, type }, { method: 'post', action, replace: true }))
      .then(() => setHasStopped(true));
  }, [attempt, submit, session, isSignedIn, config, pathname, search, hash]);
  if (!hasStopped) return <Opening />;
  const retry = () => {
    setHasStopped(false);
    setAttempt(attempt + 1);
  };
  return (
    <Opening>
      <Button type="button" onClick={retry}>
        {tryAgain}
      </Button>
    </Opening>
  );
}

/** `children`: the next step, if the sign-in has stopped. */
function Opening({ children }: { children?: ReactNode }) {
  const texts = useTexts(confirmTexts);
  return (
    <Notice
      icon="mail"
      title={texts.openingTitle}
      text={
        <>
          <p role="status" className="noscript:hidden">
            {texts.openingText}
          </p>
          <p className="hidden noscript:block">{texts.needsScripts}</p>
        </>
      }
    >
      {children}
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

/** Undefined until the page has become interactive. */
function useFragment(): string | undefined {
  return useSyncExternalStore<string | undefined>(
    subscribeToFragment,
    () => location.hash.slice(1),
    () => undefined,
  );
}

function subscribeToFragment(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
