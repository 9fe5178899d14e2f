/** A message that stands alone in the admin area. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';

/** What can be done comes as children. */
export function Notice(props: { icon: IconName; title: string; text: string; children?: ReactNode }) {
  const { icon, title, text, children } = props;
  return (
    <section
      aria-labelledby="notice-title"
      className="card m-auto grid w-full max-w-md justify-items-center gap-4 p-8 text-center"
    >
      <span className="rounded-full bg-primary-wash p-3 text-primary-ink">
        <Icon name={icon} className="size-6" />
      </span>
      <h1 id="notice-title" className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p className="text-sm text-ink-muted">{text}</p>
      {children}
    </section>
  );
}
