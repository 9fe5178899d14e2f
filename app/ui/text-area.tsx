/** A labelled textarea; it grows with its content if the browser supports that. */
import type { ComponentProps } from 'react';
import { Labelled, type LabelledProps } from './labelled.tsx';

/** Props in addition to those of a textarea. */
type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id' | 'aria-describedby' | 'aria-invalid'> &
  LabelledProps;

/** A textarea with label, hint and error. */
export function TextArea({
  label,
  hint,
  error,
  liveHint,
  rows = 3,
  className = '',
  ...props
}: TextAreaProps) {
  return (
    <Labelled label={label} hint={hint} error={error} liveHint={liveHint}>
      {(control) => (
        <textarea
          {...props}
          {...control}
          rows={rows}
          className={`control field-sizing-content max-h-80 min-h-20 w-full resize-y px-3 py-2 ${className}`}
        />
      )}
    </Labelled>
  );
}
