/** A message as the only content of a page: the event, and the next step. */
import { type ReactNode, useId } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** `children` are the possible actions, in a column. */
export function Notice(props: {
  icon: IconName;
  isProblem?: boolean;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}) {
  const { icon, isProblem = false, title, text, children } = props;
  const id = useId();
  const sign = isProblem
    ? 'border-danger-line bg-danger-wash text-danger-ink'
    : 'border-primary-line bg-primary-wash text-primary-ink';
  return (
    <section
      aria-labelledby={id}
      className="m-auto grid w-full max-w-form justify-items-center gap-5 px-5 py-12 text-center"
    >
      <span className={`rounded-card border p-2.5 ${sign}`}>
        <Icon name={icon} className="size-5" />
      </span>
      <div className="grid gap-1.5">
        <h1 id={id} className="text-title font-semibold">
          {title}
        </h1>
        {text && <div className="text-body text-ink-muted [overflow-wrap:anywhere]">{text}</div>}
      </div>
      {children && <div className="grid w-full justify-items-center gap-3">{children}</div>}
    </section>
  );
}
