/** Placeholder for an empty list: its purpose, and how to add the first entry. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** `children` are the possible actions. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  text?: ReactNode;
  /** 1 if it is the only content of the page. */
  level?: 1 | 2 | 3;
  children?: ReactNode;
}) {
  const { icon, title, text, level = 2, children } = props;
  const Title = `h${level}` as const;
  return (
    <div className="grid justify-items-center px-6 py-14 text-center">
      <span className="mb-4 flex size-11 items-center justify-center rounded-card border border-line bg-sunken text-ink-muted">
        <Icon name={icon} className="size-5" />
      </span>
      <Title className="text-lead font-semibold tracking-tight">{title}</Title>
      {text && <p className="mt-1 max-w-sm text-body text-ink-muted">{text}</p>}
      {children && <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
