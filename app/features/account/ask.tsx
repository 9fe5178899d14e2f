/**
 * A question before something that cannot be taken back. It is at an address of its own, so it works without scripts:
 * then it stands in its card, else it is a dialog.
 */
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useIsAlive } from '../../lib/use-is-alive.ts';
import { ButtonLink } from '../../ui/button.tsx';

const Dialog = lazy(() => import('../../ui/dialog.tsx').then((module) => ({ default: module.Dialog })));

/** The page without a question. */
export const ACCOUNT = '/account';

/** Address of a question; `id` says about which of several things. */
export function askPath(question: string, id?: string): string {
  return `${ACCOUNT}?${new URLSearchParams({ ask: question, ...(id !== undefined && { id }) })}`;
}

/** Whether a question is asked: about which thing, '' where there is only one. Undefined: it is not. */
export function useAsked(question: string): string | undefined {
  const search = new URLSearchParams(useLocation().search);
  return search.get('ask') === question ? (search.get('id') ?? '') : undefined;
}

/** A link to a question. */
export function AskLink(props: { to: string; label?: string; look?: 'danger'; children: ReactNode }) {
  const { to, label, look, children } = props;
  return (
    <ButtonLink
      to={to}
      preventScrollReset
      size={look ? 'medium' : 'small'}
      look={look ?? 'secondary'}
      {...(label && { 'aria-label': label })}
      className="justify-self-start"
    >
      {children}
    </ButtonLink>
  );
}

/** The question. `children` is a form with the answers; `closeTo` is the page without the question. */
export function Ask(props: { title: string; text: string; closeTo?: string; children: ReactNode }) {
  const { title, text, closeTo = ACCOUNT, children } = props;
  const id = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const isAlive = useIsAlive();
  if (!isAlive) {
    return (
      <section aria-labelledby={id} className="grid gap-3 rounded-control border border-danger-line p-4">
        <h3 id={id} className="text-body font-semibold">
          {title}
        </h3>
        <p className="text-body text-ink-muted">{text}</p>
        {children}
      </section>
    );
  }
  return (
    <Suspense>
      <Dialog
        open
        title={title}
        description={text}
        onOpenChange={(isOpen) => {
          if (!isOpen) navigate(closeTo, { preventScrollReset: true });
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          focusAsker(search);
        }}
      >
        {children}
      </Dialog>
    </Suspense>
  );
}

/** The link with the question's address; where it is gone, the page itself. */
function focusAsker(search: string): void {
  const asker = [...document.querySelectorAll('a')].find((link) => link.search === search);
  (asker ?? document.querySelector<HTMLElement>('main'))?.focus();
}
