/**
 * The plain list, apart from the page's own code. On the server it is loaded before the page is made, since pages are
 * whole without scripts; browsers show what came from the server until they have it.
 */
import { lazy, Suspense } from 'react';
import { Optional } from '../../lib/optional.tsx';
import { FilesLoading } from './files-loading.tsx';
import type { PlainFilesProps } from './plain-files.tsx';

let plain: typeof import('./plain-files.tsx') | undefined;

/** To be called before the server renders. */
export async function loadPlainFiles() {
  plain ??= await import('./plain-files.tsx');
  return { default: plain.PlainFiles };
}

const Later = lazy(loadPlainFiles);

/** See the head of this file. */
export function LazyPlainFiles(props: PlainFilesProps) {
  // In a browser it stays the same component, though its code comes in between.
  const PlainFiles = (import.meta.env.SSR && plain?.PlainFiles) || Later;
  return (
    <Optional>
      <Suspense fallback={<FilesLoading />}>
        <PlainFiles {...props} />
      </Suspense>
    </Optional>
  );
}
