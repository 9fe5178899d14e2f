/** A labelled select: the native one, which works best on phones and with keyboards. */
import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';
import { Labelled, type LabelledProps } from './labelled.tsx';

/** Props in addition to those of a select. The options are children. */
type SelectProps = Omit<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'aria-invalid'> & LabelledProps;

/** A select with label, hint and error. */
export function Select({ label, hint, error, liveHint, className = '', ...props }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} error={error} liveHint={liveHint}>
      {(control) => (
        <div className="relative">
          <select
            {...props}
            {...control}
            className={`control h-11 w-full cursor-pointer appearance-none ps-3 pe-9 sm:h-10 ${className}`}
          />
          <Icon
            name="chevron"
            className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-ink-muted"
          />
        </div>
      )}
    </Labelled>
  );
}
