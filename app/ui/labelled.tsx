/** Label, hint and error of a form control, linked to it by ARIA attributes. */
import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

/** Texts of a control. */
export interface LabelledProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The problem with the value, in plain words. */
  error?: string | undefined;
  /** A hint that changes while typing, empty while hidden; announced when it appears. */
  liveHint?: string | undefined;
  /** Another description of the control, below the others; it receives its id. */
  below?: ((id: string) => ReactNode) | undefined;
}

/** Attributes that link a control to its texts. */
interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** `children` renders the control with these attributes. */
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
