/** A labelled field of one line. */
import type { ComponentProps, ReactNode } from 'react';
import { Labelled, type LabelledProps } from './labelled.tsx';

/** What a field adds to an input. */
interface FieldProps
  extends Omit<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>,
    LabelledProps {
  /** Stands inside the field, at its end. */
  inset?: ReactNode;
}

/** See the head of this file. */
export function Field({ label, hint, error, liveHint, below, inset, className = '', ...input }: FieldProps) {
  return (
    <Labelled label={label} hint={hint} error={error} liveHint={liveHint} below={below}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            className={`control h-11 w-full px-3 sm:h-10 ${inset ? 'pe-11' : ''} ${className}`}
          />
          {inset}
        </div>
      )}
    </Labelled>
  );
}
