/** Locks the scroll position and the width of the page behind an overlay. */
import { useLayoutEffect } from 'react';

/** Place it in the overlay. */
export function ScrollLock() {
  useLayoutEffect(() => {
    const { documentElement: root, body } = document;
    const scrollbar = window.innerWidth - root.clientWidth;
    root.style.overflow = 'hidden';
    body.style.paddingInlineEnd = `${scrollbar}px`;
    return () => {
      root.style.overflow = '';
      body.style.paddingInlineEnd = '';
    };
  }, []);
  return null;
}
