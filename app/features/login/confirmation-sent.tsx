/**
 * The page after a sign-up that requires a confirmation; loaded on demand. It looks the same whether or not
 * the account already existed.
 */
import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import { type Identifier, loginPath } from '../../session/login-view.ts';
import { loginSentTexts } from '../../texts/login-sent.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AddressSentence } from './address-sentence.tsx';
import { SendAgain } from './send-again.tsx';

/**
 * Asks the user to confirm, and offers to send the message again. `attempt` changes with every response of
 * the server.
 */
export default function ConfirmationSent(props: {
  by: Identifier;
  to: string;
  problem: string | undefined;
  attempt: unknown;
  captcha: ReactNode;
}) {
  const { by, to, problem, attempt, captcha } = props;
  const sent = useTexts(loginSentTexts);
  const { login } = usePage().config.redirectOptions;
  return (
    <div className="grid justify-items-start gap-4">
      <span className="rounded-card border border-primary-line bg-primary-wash p-2.5 text-primary-ink">
        <Icon name="mail" className="size-5" />
      </span>
      <h1 id="login-title" className="text-heading font-semibold">
        {sent.title[by]}
      </h1>
      <p role="status" className="text-body text-ink-muted">
        <AddressSentence text={sent.lead[by]} address={to} />
      </p>
      {problem && <Alert kind="error">{problem}</Alert>}
      <Form
        method="post"
        action={loginPath(login, { mode: 'sign-up', by })}
        className="flex flex-wrap items-center gap-x-4 gap-y-2 text-body"
      >
        <input type="hidden" name="intent" value="resend" />
        <input type="hidden" name={by} value={to} />
        {captcha}
        <SendAgain attempt={attempt} message={by === 'email' ? 'email' : 'code'} />
        <TextLink to={login}>{sent.back}</TextLink>
      </Form>
    </div>
  );
}
