/** A link within a sentence. */
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

/** Underlined, since colour alone does not distinguish a link from the text around it. */
export const TEXT_LINK_CLASS =
  'rounded-sm font-medium text-primary-ink underline decoration-1 decoration-current/40 underline-offset-4 ' +
  'transition-colors hover:decoration-current';

/** A link within a sentence. */
export function TextLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={`${TEXT_LINK_CLASS} ${className}`} />;
}
