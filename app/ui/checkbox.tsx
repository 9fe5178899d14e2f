/** A labelled checkbox. */
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

/** Props in addition to those of an input. */
interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'id'> {
  label: string;
  hint?: ReactNode;
}

/** Keeps the native checkbox below the drawn one, so that it behaves natively everywhere. */
export function Checkbox({ label, hint, className = '', ...props }: CheckboxProps) {
  const id = useId();
  return (
    <div className={`grid grid-cols-[auto_1fr] gap-x-2.5 ${className}`}>
      <span className="relative mt-[0.1875rem] flex size-4">
        <input
          {...props}
          id={id}
          type="checkbox"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer size-4 cursor-pointer appearance-none rounded-[0.3125rem] border border-ink-faint bg-surface
            transition-colors checked:border-solid checked:bg-solid hover:border-ink-muted
            hover:checked:bg-solid-hover disabled:cursor-not-allowed disabled:opacity-50"
        />
        <Icon
          name="check"
          className="pointer-events-none absolute inset-0.5 size-3 text-on-solid opacity-0 [stroke-width:3]
            peer-checked:opacity-100"
        />
      </span>
      <label htmlFor={id} className="text-body">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="col-start-2 text-small text-ink-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
