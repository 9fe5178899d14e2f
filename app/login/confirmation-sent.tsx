/** Shown after a sign-up that must be confirmed first. It says the same whether or not the account existed. */
import { Icon } from '../ui/icon.tsx';
import type { Identifier } from './credentials.ts';

/** See the head of this file. */
export function ConfirmationSent({ by, to }: { by: Identifier; to: string }) {
  return (
    <div className="grid justify-items-center gap-4 text-center">
      <span className="rounded-full bg-primary-wash p-3 text-primary-ink">
        <Icon name="mail" className="size-6" />
      </span>
      <h1 id="login-title" className="text-xl font-semibold tracking-tight">
        {by === 'email' ? 'Check your email' : 'Check your messages'}
      </h1>
      <p role="status" className="text-sm text-ink-muted">
        {by === 'email' ? 'We sent a link to ' : 'We sent a code to '}
        <strong className="font-medium break-all text-ink">{to}</strong>
        {by === 'email'
          ? '. Open it in this browser to finish creating your account.'
          : '. Use it to finish creating your account.'}
      </p>
    </div>
  );
}
