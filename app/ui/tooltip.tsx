/** Words for a sign, when the pointer rests on it or the keyboard reaches it. Never the only place of what matters. */
import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { CONSTANTS } from '../constants.ts';
import { usePortalPlace } from './portal-place.tsx';

const DISTANCE = 8;
const EDGE = 8;

/** Around everything that has tooltips: after one was shown, the next comes at once for a while. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const { openDelay, skipDelay } = CONSTANTS.tooltip;
  return (
    <Radix.Provider delayDuration={openDelay} skipDelayDuration={skipDelay}>
      {children}
    </Radix.Provider>
  );
}

/** `children` is the one thing that it explains. It needs a {@link TooltipProvider} around it. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  const place = usePortalPlace();
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal {...place}>
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
