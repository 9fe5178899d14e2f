/** A short label for the state of an object. */
import type { ReactNode } from 'react';

const TONES = {
  neutral: 'border-line bg-sunken text-ink-muted',
  primary: 'border-primary-line bg-primary-wash text-primary-ink',
  danger: 'border-danger-line bg-danger-wash text-danger-ink',
  warning: 'border-warning-line bg-warning-wash text-warning-ink',
  info: 'border-info-line bg-info-wash text-info-ink',
} as const;

/** The colour of a badge; its text must express the same meaning. */
export type BadgeTone = keyof typeof TONES;

/** A label with a tone. `hasDot` is for states that change without the user's action. */
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
