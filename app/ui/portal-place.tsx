/** Where dialogs, menus and tooltips are put into the document: at its end, or in a part that has its own colours. */
import { createContext, useContext } from 'react';

const Place = createContext<HTMLElement | null>(null);

/** Names another place for everything inside. */
export const PortalPlace = Place.Provider;

/** The place as radix-ui takes it; undefined is the end of the document. */
export function usePortalPlace(): { container?: HTMLElement } {
  const container = useContext(Place);
  return container ? { container } : {};
}
