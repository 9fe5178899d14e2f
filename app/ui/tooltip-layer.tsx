/** Shows the tooltips that the user has requested. `tooltip.tsx` loads it. */
import { Tooltip as Radix } from 'radix-ui';
import {
  type ComponentProps,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import * as CONSTANTS from '../constants.ts';
import type { TooltipTarget, TooltipTargets } from './tooltip-targets.ts';

const { openDelay, skipDelay } = CONSTANTS.tooltip;
const DISTANCE = 8;
const EDGE = 8;

/** Renders the tooltips of all targets. */
export function TooltipLayer({ targets }: { targets: TooltipTargets }) {
  const requested = useSyncExternalStore(targets.subscribe, targets.list);
  return (
    <Radix.Provider delayDuration={openDelay} skipDelayDuration={skipDelay}>
      {requested.map((target) => (
        <TargetTooltip key={target.key} target={target} />
      ))}
    </Radix.Provider>
  );
}

function TargetTooltip({ target }: { target: TooltipTarget }) {
  const { text, container } = target;
  // The delay began with the request, while this code may have been loading.
  const [delay, setDelay] = useState(() => Math.max(0, target.requestedAt + openDelay - performance.now()));
  return (
    <Radix.Root delayDuration={delay}>
      <Radix.Trigger asChild>
        <ExistingTrigger target={target} isLate={delay === 0} onReplayed={() => setDelay(openDelay)} />
      </Radix.Trigger>
      <Radix.Portal {...(container && { container })}>
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

/** The event that each of the trigger's handlers needs; focus is also that of elements inside. */
const EVENTS = {
  onPointerMove: 'pointermove',
  onPointerLeave: 'pointerleave',
  onPointerDown: 'pointerdown',
  onFocus: 'focusin',
  onBlur: 'focusout',
  onClick: 'click',
} as const;

type Handlers = Partial<Record<keyof typeof EVENTS, (event: Event) => void>>;

interface ExistingTriggerProps {
  target: TooltipTarget;
  /** The delay has passed already. */
  isLate: boolean;
  /** Called when the requesting event has been handled. */
  onReplayed(): void;
}

/** Turns an element that other code has rendered into the trigger, with the props that radix-ui passes. */
function ExistingTrigger({
  target: { element, event },
  isLate,
  onReplayed,
  ref,
  'aria-describedby': describedBy,
  ...props
}: ExistingTriggerProps & Omit<ComponentProps<'button'>, keyof Handlers> & Handlers) {
  useImperativeHandle(ref, () => element as HTMLButtonElement, [element]);
  useEffect(() => {
    if (!describedBy) return;
    element.setAttribute('aria-describedby', describedBy);
    return () => element.removeAttribute('aria-describedby');
  }, [element, describedBy]);
  const handlers = useRef<Handlers>(props);
  useEffect(() => {
    handlers.current = props;
  });
  const request = useRef({ event, isLate, onReplayed });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const [name, type] of Object.entries(EVENTS) as [keyof Handlers, string][])
      element.addEventListener(type, (next) => handlers.current[name]?.(next), { signal });
    // In development, React runs effects twice: the first run is cancelled before this.
    queueMicrotask(() => {
      if (!signal.aborted) replay(element, handlers.current, request.current);
    });
    return () => controller.abort();
  }, [element]);
  return null;
}

/** Handles the event that requested the tooltip, unless the user has left the element meanwhile. */
function replay(
  element: HTMLElement,
  handlers: Handlers,
  { event, isLate, onReplayed }: { event: Event; isLate: boolean; onReplayed(): void },
): void {
  const isFocus = event.type === 'focusin';
  const isStillRequested = isFocus ? element.contains(document.activeElement) : element.matches(':hover');
  if (isStillRequested) handlers[isFocus || isLate ? 'onFocus' : 'onPointerMove']?.(event);
  onReplayed();
}
