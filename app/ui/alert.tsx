/** A message about a whole form or page. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const VARIANTS = {
  error: 'border-danger-line bg-danger-wash text-danger-ink',
  warning: 'border-warning-line bg-warning-wash text-warning-ink',
  info: 'border-info-line bg-info-wash text-info-ink',
  success: 'border-primary-line bg-primary-wash text-primary-ink',
} as const;

const ICONS: Record<AlertKind, IconName> = {
  error: 'alert',
  warning: 'alert',
  info: 'info',
  success: 'check',
};

type AlertKind = keyof typeof VARIANTS;

/** Screen readers announce an error at once, other messages when they are idle. */
export function Alert(props: { kind: AlertKind; title?: string; children: ReactNode }) {
  const { kind, title, children } = props;
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={`flex items-start gap-2.5 rounded-control border px-3.5 py-2.5 text-body ${VARIANTS[kind]}`}
    >
      <Icon name={ICONS[kind]} className="mt-0.5 size-[1.125rem]" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
