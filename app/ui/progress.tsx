/** How far a thing has come. */

/** `value` goes from 0 to `max`; without it, it is not known how far. `label` names what is going on. */
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
