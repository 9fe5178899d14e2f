/** Shown after a sign-up that must be confirmed first, and loaded only then. It says the same whether or not the account existed. */
import { usePage } from '../request/page-context.tsx';
import { loginSentTexts } from '../texts/login-sent.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from '../ui/icon.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { Identifier } from './login-view.ts';

/** See the head of this file. */
export default function ConfirmationSent({ by, to }: { by: Identifier; to: string }) {
  const sent = useTexts(loginSentTexts);
  const { login } = usePage().config.redirectOptions;
  return (
    <div className="grid justify-items-start gap-4">
      <span className="rounded-card border border-primary-line bg-primary-wash p-2.5 text-primary-ink">
        <Icon name="mail" className="size-5" />
      </span>
      <h1 id="login-title" className="text-heading font-semibold">
        {by === 'email' ? sent.email : sent.phone}
      </h1>
      <p role="status" className="text-body text-ink-muted">
        {by === 'email' ? sent.emailText : sent.phoneText}{' '}
        <strong className="font-medium break-all text-ink">{to}</strong>.
      </p>
      <p className="text-body">
        <TextLink to={login}>{sent.back}</TextLink>
      </p>
    </div>
  );
}
