/** Tracks which section of a page is in view, and jumps to sections. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { currentSection, FULLY_VISIBLE } from './current-section.ts';

/** The top of the screen does not count: a section that ends there is no longer in view. */
const ROOT_MARGIN = '-20% 0px 0px';

/** `ids` are all sections that may exist, in the order of the page; the array must be constant. */
export function useCurrentSection(ids: readonly string[]) {
  const [current, setCurrent] = useState<string>();
  const chosen = useRef<string>(undefined);
  const observer = useRef<IntersectionObserver>(undefined);
  const visible = useRef(new Map<string, number>());
  const { hash } = useLocation();
  useEffect(() => {
    chosen.current = hash.slice(1);
  }, [hash]);

  /** A ref for a section; sections may appear later. */
  const observe = useCallback(
    (section: HTMLElement) => {
      const update = (entries: IntersectionObserverEntry[]) => {
        for (const { target, isIntersecting, intersectionRatio } of entries) {
          visible.current.set(target.id, isIntersecting ? intersectionRatio : 0);
        }
        setCurrent((before) => currentSection(ids, visible.current, chosen.current) ?? before);
      };
      observer.current ??= new IntersectionObserver(update, {
        rootMargin: ROOT_MARGIN,
        threshold: [0, FULLY_VISIBLE],
      });
      observer.current.observe(section);
      return () => {
        observer.current?.unobserve(section);
        visible.current.delete(section.id);
      };
    },
    [ids],
  );

  /**
   * Jumps to a section like a browser does for a fragment. The router would treat the fragment as a navigation
   * and discard the result of the last form, such as recovery codes that are shown only once.
   */
  const jumpTo = useCallback((id: string) => {
    const section = document.getElementById(id);
    if (!section) return;
    window.history.replaceState(window.history.state, '', `#${id}`);
    section.scrollIntoView();
    section.focus({ preventScroll: true });
    chosen.current = id;
    setCurrent(id);
  }, []);

  return { current, observe, jumpTo };
}
