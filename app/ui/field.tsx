/** A labelled single-line input. */
import type { ComponentProps, ReactNode } from 'react';
import { Labelled, type LabelledProps } from './labelled.tsx';

/** Props in addition to those of an input. */
interface FieldProps
  extends Omit<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>,
    LabelledProps {
  /** Element inside of the field, at its end. */
  inset?: ReactNode;
}

/** An input with label, hint and error. */
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
