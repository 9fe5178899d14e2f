/** Anchors of the account page's cards, so that a form or link without scripts leads back to its card. */
import { createContext, type ReactNode, useContext } from 'react';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';

const CardAnchor = createContext('');

/** Makes a card the target of {@link useCardAnchor}. Takes no space while the card renders nothing. */
export function AnchoredCard({ id, children }: { id: string; children: ReactNode }) {
  const anchor = `${id}-card`;
  return (
    <CardAnchor value={`#${anchor}`}>
      <div id={anchor} className="scroll-mt-28 empty:hidden lg:scroll-mt-8">
        {children}
      </div>
    </CardAnchor>
  );
}

/**
 * Returns the fragment of the card around a component, e.g. `#email-card`; empty with scripts, which keep the
 * scroll position.
 */
export function useCardAnchor(): string {
  const anchor = useContext(CardAnchor);
  return useIsHydrated() ? '' : anchor;
}
