/** A switch that takes effect at once, without sending a form. */
import { type ComponentProps, type ReactNode, useId } from 'react';

/** Props in addition to those of an input. */
interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'id'> {
  label: string;
  hint?: ReactNode;
}

/** The label first, the switch at the end of the row. */
export function Switch({ label, hint, className = '', ...props }: SwitchProps) {
  const id = useId();
  return (
    <div className={`flex items-start justify-between gap-6 ${className}`}>
      <div className="min-w-0">
        <label htmlFor={id} className="text-body font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-small text-ink-muted">
            {hint}
          </p>
        )}
      </div>
      <input
        {...props}
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox exposes its checked state natively
        role="switch"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative mt-0.5 h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-ink-faint
          transition-colors before:absolute before:start-0.5 before:top-0.5 before:size-4 before:rounded-full
          before:bg-surface before:shadow-low before:transition-transform before:duration-200 checked:bg-solid
          checked:before:translate-x-4 rtl:checked:before:-translate-x-4 disabled:cursor-not-allowed
          disabled:opacity-50"
      />
    </div>
  );
}
