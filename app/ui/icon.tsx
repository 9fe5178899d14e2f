/** Decorative icons; the text next to them has the meaning. */
import { useContext, useEffect } from 'react';
import { readPage } from '../lib/page/page-context.tsx';
import { ICONS_FOLDER } from './icons/folder.ts';
import { IconSinkContext } from './icons/icon-sprite.tsx';
import { createIconLoader, insertSymbol } from './icons/loader.ts';
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

let load: ((fullName: string) => void) | undefined;

function request(fullName: string): void {
  load ??= createIconLoader({
    folder: location.origin + readPage().config.baseURL + ICONS_FOLDER,
    isPresent: (id) => document.getElementById(id) !== null,
    insert: insertSymbol,
  });
  load(fullName);
}
