import type { ReactNode } from 'react';
import { errorMessage } from '../../session/error-message.ts';
import { errorTitles } from '../../texts/error-titles.ts';
import { useLanguage } from '../../texts/use-texts.ts';
import type { ErrorDescription } from './describe-error.ts';

/** Shows status, title and reason of an error. `children` are the actions that the user can take. */
export function ErrorMessage({
  status,
  title,
  reason,
  children,
}: ErrorDescription & { children?: ReactNode }) {
  const language = useLanguage();
  return (
    <section
      data-error-status={status}
      aria-labelledby="error-title"
      className="m-auto grid w-full max-w-prose justify-items-center px-5 py-16 text-center"
    >
      <p className="error-number text-[clamp(5.5rem,22vw,9rem)] leading-none font-semibold tracking-[-0.06em] tabular-nums">
        {status}
      </p>
      <h1 id="error-title" className="mt-5 text-heading font-semibold">
        {errorTitles[language][title]}
      </h1>
      <p className="mt-2 max-w-full text-body text-ink-muted [overflow-wrap:anywhere]">
        {errorMessage(reason, language)}
      </p>
      {children && <div className="mt-7">{children}</div>}
    </section>
  );
}
