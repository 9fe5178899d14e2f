/** What surrounds a control of a form: its label, its hint and its error, tied to it for those who cannot see them. */
import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

/** What a control says about itself. */
export interface LabelledProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong, in plain words. */
  error?: string | undefined;
  /** A hint that comes and goes while typing, empty while it is gone; announced when it comes. */
  liveHint?: string | undefined;
  /** What else describes the control, below all else; it takes its id. */
  below?: ((id: string) => ReactNode) | undefined;
}

/** Attributes that tie a control to the words around it. */
interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** `children` makes the control out of its attributes. */
export function Labelled({
  label,
  hint,
  error,
  liveHint,
  below,
  children,
}: LabelledProps & { children: (control: ControlAttributes) => ReactNode }) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`, below && `${id}-below`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="justify-self-start text-body font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="flex animate-fade-in items-start gap-1.5 text-small text-danger-ink">
          <Icon name="alert" className="mt-0.5 size-4" />
          <span className="min-w-0">{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-ink-muted">
          {hint}
        </p>
      )}
      {liveHint !== undefined && (
        <p role="status" className={liveHint ? 'text-small text-ink-muted' : 'sr-only'}>
          {liveHint}
        </p>
      )}
      {below?.(`${id}-below`)}
    </div>
  );
}
