/** Decorative icons; the text next to them has the meaning. */
import { useContext, useEffect } from 'react';
import { retriableImport } from '../lib/modules/retriable-import.ts';
import { IconSinkContext } from './icons/icon-sprite.tsx';
import { type IconName, resolveIcon, symbolId } from './icons/names.ts';

export type { IconName };

/**
 * An icon with the size of the text around it, unless `className` sets another. Its space is reserved until
 * it is loaded.
 */
export function Icon({ name, className = 'size-[1.15em]' }: { name: IconName; className?: string }) {
  const fullName = resolveIcon(name);
  useContext(IconSinkContext)?.need(fullName);
  useEffect(() => request(fullName), [fullName]);
  return (
    <svg aria-hidden="true" className={`shrink-0 ${className}`}>
      <use href={`#${symbolId(fullName)}`} />
    </svg>
  );
}

/** Most pages contain all of their icons, so the code that loads others comes later. */
const loadPageIcons = retriableImport(() => import('./icons/page-icons.ts'));

function request(fullName: string): void {
  if (document.getElementById(symbolId(fullName))) return;
  // Without the code, the icon stays empty; the next component that needs it tries again.
  loadPageIcons().then(
    ({ loadPageIcon }) => loadPageIcon(fullName),
    () => {},
  );
}
