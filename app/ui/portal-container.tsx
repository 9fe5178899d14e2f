/**
 * The container of dialogs, menus and tooltips: the end of the document, or a part with its own colours.
 */
import { createContext, useContext } from 'react';

const ContainerContext = createContext<HTMLElement | null>(null);

/** Sets another container for all descendants. */
export const PortalContainer = ContainerContext.Provider;

/** Returns the container as a prop of radix-ui; empty for the end of the document. */
export function usePortalContainer(): { container?: HTMLElement } {
  const container = useContext(ContainerContext);
  return container ? { container } : {};
}
