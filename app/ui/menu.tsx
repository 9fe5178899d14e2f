/** A menu of actions behind a button. */
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { usePortalContainer } from './portal-container.tsx';

const GAP = 6;
const EDGE = 8;

/** `trigger` is a button. The menu is not modal, so the page stays usable while it is open. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  const portalContainer = usePortalContainer();
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal {...portalContainer}>
        <Radix.Content
          align="end"
          sideOffset={GAP}
          collisionPadding={EDGE}
          className="floating z-(--layer-dialog) min-w-44 rounded-card p-1 outline-none
            data-[state=closed]:animate-exit data-[state=open]:animate-enter"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** An action. `isDangerous` marks actions that cannot be undone. */
export function MenuItem(props: {
  icon?: IconName;
  isDangerous?: boolean;
  disabled?: boolean;
  onSelect?(): void;
  children: ReactNode;
}) {
  const { icon, isDangerous = false, disabled, onSelect, children } = props;
  const ink = isDangerous ? 'text-danger-ink data-highlighted:bg-danger-wash' : 'data-highlighted:bg-hover';
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      className={`flex h-9 cursor-default items-center gap-2.5 rounded-control px-2.5 text-body outline-none select-none
        data-disabled:opacity-50 sm:h-8 ${ink}`}
    >
      {icon && <Icon name={icon} className="size-4 opacity-70" />}
      {children}
    </Radix.Item>
  );
}

/** A heading for the items below it. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-2.5 pt-1.5 pb-1 text-caption font-medium text-ink-muted">
      {children}
    </Radix.Label>
  );
}

/** A line between groups. */
export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
