/**
 * A confirmation before an action that cannot be undone. It has its own URL, so it works without scripts:
 * then it is part of its card, otherwise a dialog.
 */
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useCardAnchor } from './card-anchor.tsx';

const Dialog = lazy(() => import('../../ui/dialog.tsx').then((module) => ({ default: module.Dialog })));

/** The page without a confirmation. */
export const ACCOUNT = '/account';

/** Returns the URL of a confirmation; `id` identifies one of several objects. */
export function confirmPath(action: string, id?: string): string {
  return `${ACCOUNT}?${new URLSearchParams({ ask: action, ...(id !== undefined && { id }) })}`;
}

/**
 * Returns the id of the object to confirm, or '' if there is only one. Undefined if the confirmation is not
 * open.
 */
export function useConfirmation(action: string): string | undefined {
  const search = new URLSearchParams(useLocation().search);
  return search.get('ask') === action ? (search.get('id') ?? '') : undefined;
}

/** A link that opens a confirmation. `label` is its accessible name if the text alone is ambiguous. */
export function ConfirmLink({ to, label, children }: { to: string; label?: string; children: ReactNode }) {
  return (
    <ButtonLink
      to={to + useCardAnchor()}
      preventScrollReset
      size="small"
      {...(label && { 'aria-label': label })}
      className="justify-self-start"
    >
      {children}
    </ButtonLink>
  );
}

/** A link that closes a confirmation or a form. */
export function CancelLink({ variant, children }: { variant?: 'ghost'; children: ReactNode }) {
  return (
    <ButtonLink to={ACCOUNT + useCardAnchor()} preventScrollReset variant={variant}>
      {children}
    </ButtonLink>
  );
}

/**
 * The confirmation. `children` is a form with the buttons; `closeTo` is the page without the confirmation.
 */
export function ConfirmDialog(props: { title: string; text: string; closeTo?: string; children: ReactNode }) {
  const { title, text, closeTo = ACCOUNT, children } = props;
  const id = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const isHydrated = useIsHydrated();
  if (!isHydrated) {
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
          focusOpener(search);
        }}
      >
        {children}
      </Dialog>
    </Suspense>
  );
}

/** Focuses the link that opened the confirmation, or the page if that link is gone. */
function focusOpener(search: string): void {
  const opener = [...document.querySelectorAll('a')].find((link) => link.search === search);
  (opener ?? document.querySelector<HTMLElement>('main'))?.focus();
}
