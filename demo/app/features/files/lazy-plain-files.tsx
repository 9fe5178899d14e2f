/**
 * The plain list as a lazy component. The server loads it before rendering, since pages must be complete
 * without scripts; browsers keep the server's HTML until it is loaded.
 */
import { Optional } from 'greenroom/app';
import { lazy, Suspense } from 'react';
import { FilesLoading } from './files-loading.tsx';
import type { PlainFilesProps } from './plain-files.tsx';

let plain: typeof import('./plain-files.tsx') | undefined;

/** Loads the component. Call it before the server renders. */
export async function loadPlainFiles() {
  plain ??= await import('./plain-files.tsx');
  return { default: plain.PlainFiles };
}

const LazyComponent = lazy(loadPlainFiles);

/** Renders the plain list. */
export function LazyPlainFiles(props: PlainFilesProps) {
  // In a browser it is always the lazy component, so that loading its code does not remount it.
  const PlainFiles = (import.meta.env.SSR && plain?.PlainFiles) || LazyComponent;
  return (
    <Optional>
      <Suspense fallback={<FilesLoading />}>
        <PlainFiles {...props} />
      </Suspense>
    </Optional>
  );
}
