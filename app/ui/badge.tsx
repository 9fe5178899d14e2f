/** A word or two about the state of a thing. */
import type { ReactNode } from 'react';

const TONES = {
  neutral: 'border-line bg-sunken text-ink-muted',
  primary: 'border-primary-line bg-primary-wash text-primary-ink',
  danger: 'border-danger-line bg-danger-wash text-danger-ink',
  warning: 'border-warning-line bg-warning-wash text-warning-ink',
  info: 'border-info-line bg-info-wash text-info-ink',
} as const;

/** What a badge says by its colour; the words must say it too. */
export type BadgeTone = keyof typeof TONES;

/** See the head of this file. `hasDot` is for states that change by themselves. */
export function Badge(props: { tone?: BadgeTone; hasDot?: boolean; children: ReactNode }) {
  const { tone = 'neutral', hasDot = false, children } = props;
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border px-2 text-caption leading-5 font-medium
        whitespace-nowrap ${TONES[tone]}`}
    >
      {hasDot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  );
}
