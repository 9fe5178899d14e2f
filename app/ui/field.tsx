/** A labelled field with its hint and its error, tied together for those who cannot see them side by side. */
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

/** What a field adds to an input. */
export interface FieldProps
  extends Omit<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'> {
  label: string;
  hint?: ReactNode;
  /** What is wrong, in plain words. */
  error?: string | undefined;
  /** A hint that comes and goes while typing, empty while it is gone; announced when it comes. */
  liveHint?: string | undefined;
  /** Stands inside the field, at its end. */
  inset?: ReactNode;
}

/** See the head of this file. */
export function Field({ label, hint, error, liveHint, inset, className = '', ...input }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className={`h-10 w-full rounded-lg border bg-surface px-3 text-base shadow-xs transition-colors duration-150
            placeholder:text-ink-faint focus-visible:outline-offset-0 sm:text-sm
            ${error ? 'border-danger-line' : 'border-line-strong hover:border-ink-muted'} ${inset ? 'pe-11' : ''} ${className}`}
        />
        {inset}
      </div>
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm text-danger-ink">
          <Icon name="alert" className="mt-0.5 size-4" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {hint}
        </p>
      )}
      {liveHint !== undefined && (
        <p role="status" className={liveHint ? 'text-sm text-ink-muted' : 'sr-only'}>
          {liveHint}
        </p>
      )}
    </div>
  );
}
