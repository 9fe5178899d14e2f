/** A text for an icon, shown on hover and focus. It must not contain essential information. */
import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import * as CONSTANTS from '../constants.ts';
import { usePortalContainer } from './portal-container.tsx';

const DISTANCE = 8;
const EDGE = 8;

/** Wraps all elements with tooltips: after one was shown, the next appears without delay for a while. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const { openDelay, skipDelay } = CONSTANTS.tooltip;
  return (
    <Radix.Provider delayDuration={openDelay} skipDelayDuration={skipDelay}>
      {children}
    </Radix.Provider>
  );
}

/** `children` is the explained element. Needs a {@link TooltipProvider} around it. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  const portalContainer = usePortalContainer();
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal {...portalContainer}>
        <Radix.Content
          side="bottom"
          sideOffset={DISTANCE}
          collisionPadding={EDGE}
          className="z-(--layer-tooltip) flex max-w-64 items-center gap-2 rounded-control bg-ink px-2.5 py-1 text-small
            text-canvas shadow-mid select-none data-[state=closed]:animate-fade-out
            data-[state=delayed-open]:animate-enter"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
