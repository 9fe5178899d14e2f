/**
 * A choice of a few visible options: links if the choice is part of the URL, radio buttons if it is a
 * setting.
 */
import { useId } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icon.tsx';

/** Options that do not fit into the width continue in another row. */
const TRACK = 'flex min-w-0 flex-wrap rounded-control border border-line bg-sunken p-0.5';
const PART =
  'relative flex flex-1 items-center justify-center gap-1.5 rounded-[0.375rem] font-medium whitespace-nowrap text-ink-muted ' +
  'transition-colors hover:text-ink';

/** An option that is a link. */
interface SegmentLink {
  to: string;
  label: string;
  isCurrent: boolean;
}

/** Links; the current one is marked. They replace each other in the history. */
export function SegmentedLinks({ label, links }: { label: string; links: readonly SegmentLink[] }) {
  return (
    <nav aria-label={label} className={`${TRACK} text-body`}>
      {links.map(({ to, label: name, isCurrent }) => (
        <Link
          key={to}
          to={to}
          replace
          preventScrollReset
          aria-current={isCurrent ? 'true' : undefined}
          className={`${PART} h-9 px-3 aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-low
            aria-[current]:ring-1 aria-[current]:ring-line sm:h-8`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** An option that can be selected; with an icon, only the icon is visible. */
interface SegmentOption<Value extends string> {
  value: Value;
  label: string;
  icon?: IconName;
}

/** Props of {@link SegmentedRadios}. */
interface SegmentedRadiosProps<Value extends string> {
  label: string;
  options: readonly SegmentOption<Value>[];
  value: Value;
  onChange(value: Value): void;
  disabled?: boolean;
  /** Tooltip, for example the reason why the control is disabled. */
  title?: string | undefined;
}

/** Radio buttons in a row. */
export function SegmentedRadios<Value extends string>(props: SegmentedRadiosProps<Value>) {
  const { label, options, value, onChange, disabled, title } = props;
  // Groups with the same name would share their selection.
  const name = useId();
  return (
    <fieldset
      disabled={disabled}
      title={title}
      className={`${TRACK} w-fit max-w-full text-small disabled:opacity-55`}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.icon && option.label}
          className={`${PART} h-6.5 ${option.icon ? 'w-7' : 'px-2.5'} has-checked:bg-raised has-checked:text-ink
            has-checked:shadow-low has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2
            has-focus-visible:outline-offset-1 has-focus-visible:outline-focus`}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
          />
          {option.icon && <Icon name={option.icon} className="size-4" />}
          <span className={option.icon ? 'sr-only' : ''}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
