/**
 * A text for an icon, shown on hover and focus. It must not contain essential information. The code that shows it is
 * large (`tooltip-layer.tsx`), so it is loaded when the browser is idle, or with the first tooltip that a user
 * requests.
 */
import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  type RefCallback,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { onIdle } from '../lib/idle/on-idle.ts';
import { retriableImport } from '../lib/modules/retriable-import.ts';
import { Optional } from '../lib/optional.tsx';
import { usePortalContainer } from './portal-container.tsx';
import { createTooltipTargets, type TooltipContent, type TooltipTargets } from './tooltip-targets.ts';

const loadLayer = retriableImport(() => import('./tooltip-layer.tsx'));

const TargetsContext = createContext<TooltipTargets | undefined>(undefined);

/** Wraps all elements with tooltips: after one was shown, the next appears without delay for a while. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [targets] = useState(createTooltipTargets);
  const layer = useLayer(targets);
  return (
    <TargetsContext value={targets}>
      {children}
      {layer && (
        <Optional>
          <layer.TooltipLayer targets={targets} />
        </Optional>
      )}
    </TargetsContext>
  );
}

/**
 * `children` is the explained element, whose component passes a `ref` to its element. Needs a
 * {@link TooltipProvider} around it.
 */
export function Tooltip({
  text,
  children,
}: {
  text: ReactNode;
  children: ReactElement<{ ref?: RefCallback<HTMLElement> }>;
}) {
  const targets = useContext(TargetsContext);
  const portalContainer = usePortalContainer();
  const element = useRef<HTMLElement>(null);
  const content = useRef<TooltipContent>({ text, ...portalContainer });
  useEffect(() => {
    content.current = { text, ...portalContainer };
    if (element.current) targets?.update(element.current, content.current);
  });
  const ref: RefCallback<HTMLElement> = useCallback(
    (attached) => {
      element.current = attached;
      return attached ? targets?.watch(attached, () => content.current) : undefined;
    },
    [targets],
  );
  return cloneElement(children, { ref });
}

/** Loads the code when idle or requested. A failure is retried with the next request. */
function useLayer(targets: TooltipTargets) {
  const [layer, setLayer] = useState<Awaited<ReturnType<typeof loadLayer>>>();
  useEffect(() => {
    if (layer) return;
    const load = () => void loadLayer().then(setLayer, () => {});
    const cancelIdle = onIdle(load);
    const unsubscribe = targets.subscribe(load);
    return () => {
      cancelIdle();
      unsubscribe();
    };
  }, [layer, targets]);
  return layer;
}
