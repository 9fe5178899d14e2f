/** Signs beside words. They decorate; the words say what is meant. */
import { useContext, useEffect } from 'react';
import { readPage } from '../lib/page/page-context.tsx';
import { ICONS_FOLDER } from './icons/folder.ts';
import { IconSinkContext } from './icons/icon-sprite.tsx';
import { createIconLoader, insertSymbol } from './icons/loader.ts';
import { type IconName, resolveIcon, symbolId } from './icons/names.ts';

export type { IconName };

/** A sign as large as the text around it, unless `className` says otherwise. Its place is there before it is drawn. */
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
