/** A form in a card of the account page. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Form, useLocation, useNavigation } from 'react-router';
import { Alert } from '../../ui/alert.tsx';
import { useCardAnchor } from './card-anchor.tsx';
import type { AccountOutcome } from './outcome.server.ts';

/**
 * `intent` names the change. An invalid field gets the focus; after success the form is reset, unless
 * `resets` is false. Without scripts, the result is scrolled to its card; `isAnchored` must be false for a form
 * that redirects, because browsers add the fragment to the redirect's URL.
 */
export function CardForm(props: {
  intent: string;
  outcome?: AccountOutcome | undefined;
  resets?: boolean;
  isAnchored?: boolean;
  children: ReactNode | ((isPending: boolean) => ReactNode);
  className?: string;
}) {
  const { intent, outcome, resets = true, isAnchored = true, children, className = 'grid gap-4' } = props;
  const form = useRef<HTMLFormElement>(null);
  const { search } = useLocation();
  const anchor = useCardAnchor();
  const { state, formData } = useNavigation();
  const isPending = state === 'submitting' && formData?.get('intent') === intent;
  useEffect(() => {
    if (!outcome) return;
    if (!outcome.success) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    else if (resets) form.current?.reset();
  }, [outcome, resets]);
  return (
    <Form
      ref={form}
      method="post"
      {...(isAnchored && anchor && { action: search + anchor })}
      noValidate
      preventScrollReset
      className={className}
    >
      <input type="hidden" name="intent" value={intent} />
      {typeof children === 'function' ? children(isPending) : children}
    </Form>
  );
}

/** Shows the success message of a form. */
export function Success({ outcome }: { outcome: AccountOutcome | undefined }) {
  return outcome?.success ? <Alert kind="success">{outcome.success}</Alert> : null;
}
