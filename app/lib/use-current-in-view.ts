import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';

/** Scrolls a row of links sideways after each navigation, so that the current link is visible. */
export function useCurrentInView(row: RefObject<HTMLElement | null>): void {
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link depends on the location
  useEffect(() => {
    const element = row.current;
    const current = element?.querySelector('[aria-current]:not([aria-current=false])');
    if (!element || !current) return;
    const link = current.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const isVisible = link.left >= box.left && link.right <= box.right;
    if (!isVisible) element.scrollLeft += link.left - box.left - (box.width - link.width) / 2;
  }, [row, pathname, search]);
}
