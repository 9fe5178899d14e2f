/** While it is there, the page behind stays where it is, and no wider than it was. */
import { useLayoutEffect } from 'react';

/** Place it in what covers the page. */
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
