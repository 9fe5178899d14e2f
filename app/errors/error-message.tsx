/** Number, title and sentence of an error. */
import type { ReactNode } from 'react';
import type { ErrorDescription } from './describe-error.ts';

/** What can be done about it comes as children. */
export function ErrorMessage({
  status,
  title,
  message,
  children,
}: ErrorDescription & { children?: ReactNode }) {
  return (
    <section
      data-error-status={status}
      aria-labelledby="error-title"
      className="m-auto grid w-full max-w-xl justify-items-center gap-3 px-4 pt-12 pb-24 text-center"
    >
      <p className="text-8xl font-semibold tracking-tighter text-primary-ink tabular-nums">{status}</p>
      <h1 id="error-title" className="text-2xl font-semibold tracking-tighter">
        {title}
      </h1>
      <p className="max-w-full text-ink-muted [overflow-wrap:anywhere]">{message}</p>
      {children}
    </section>
  );
}
