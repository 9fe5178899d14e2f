/** A progress bar. */

/** `value` ranges from 0 to `max`; without it, the progress is indeterminate. `label` names the operation. */
export function Progress({ label, value, max = 1 }: { label: string; value?: number; max?: number }) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className={`progress block h-1.5 w-full ${value === undefined ? 'shimmering' : ''}`}
    />
  );
}
