import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Scrolls each row of links sideways after a navigation, so that its current link is visible. */
export function CurrentInView() {
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current links depend on the location
  useEffect(() => {
    for (const link of document.querySelectorAll('.scroll-row [aria-current]')) showInRow(link);
  }, [pathname, search]);
  return null;
}

function showInRow(link: Element): void {
  const row = link.closest('.scroll-row');
  if (!row) return;
  const { left, right, width } = link.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (left < box.left || right > box.right) row.scrollLeft += left - box.left - (box.width - width) / 2;
}
