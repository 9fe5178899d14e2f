/** A message about the whole of a form or a page. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  error: 'border-danger-line bg-danger-wash text-danger-ink',
  success: 'border-line bg-primary-wash text-ink',
} as const;

const ICONS: Record<keyof typeof LOOKS, IconName> = { error: 'alert', success: 'check' };

/** An error is announced at once, a success when it suits. */
export function Alert({ kind, children }: { kind: keyof typeof LOOKS; children: ReactNode }) {
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={`flex items-start gap-2.5 rounded-lg border px-3.5 py-3 text-sm ${LOOKS[kind]}`}
    >
      <Icon name={ICONS[kind]} className="mt-px size-[1.15rem]" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
