/**
 * The files' part of the home page. It comes with its list and works without scripts; its tools are large, so they are
 * loaded when the browser has nothing better to do.
 */
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { Resolved } from '../account/resolved.tsx';
import { waitAfterFailures } from '../board/back-off.ts';
import { useOnline } from '../board/use-online.ts';
import { Optional } from '../errors/optional.tsx';
import { onIdle } from '../idle/on-idle.ts';
import type { Claims } from '../session/claims.ts';
import { filesTexts } from '../texts/files.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import type { FilesLoad, FilesOutcome } from './files.server.ts';
import { FILES_ID } from './files-path.ts';
import { PlainFiles as PlainFilesAtOnce } from './plain-files.tsx';

/**
 * On the server the list is there at once, since pages are whole without scripts. Browsers need its code later than that
 * of the page, and show what came from the server until then.
 */
const PlainFiles = import.meta.env.SSR
  ? PlainFilesAtOnce
  : lazy(async () => ({ default: (await import('./plain-files.tsx')).PlainFiles }));

/** What it needs. `outcome` is what came of a form without scripts. */
export interface FilesProps {
  user: Claims;
  load: FilesLoad;
  outcome: FilesOutcome | undefined;
}

/** See the head of this file. */
export function Files({ user, load, outcome }: FilesProps) {
  const texts = useTexts(filesTexts);
  const titleId = useId();
  const tools = useTools();
  const Tools = tools?.FileTools;
  return (
    <section id={FILES_ID} aria-labelledby={titleId} className="grid scroll-mt-20 gap-4">
      <header>
        <h2 id={titleId} className="text-title font-semibold">
          {texts.title}
        </h2>
        <p className="text-body text-ink-muted">{texts.lead}</p>
      </header>
      <Resolved data={load.files} fallback={<FilesLoading />}>
        {(data) =>
          Tools ? (
            <Tools key={user.sub} ownerId={user.sub} loaded={data} now={load.now} outcome={outcome} />
          ) : (
            <Optional>
              <Suspense fallback={<FilesLoading />}>
                <PlainFiles data={data} now={load.now} outcome={outcome} />
              </Suspense>
            </Optional>
          )
        }
      </Resolved>
    </section>
  );
}

type ToolsModule = typeof import('./file-tools.tsx');

function useTools(): ToolsModule | undefined {
  const [module, setModule] = useState<ToolsModule>();
  const [failures, setFailures] = useState(0);
  const isOnline = useOnline();
  useEffect(() => {
    if (module || !isOnline) return;
    let cancelIdle = () => {};
    const load = () =>
      import('./file-tools.tsx').then(
        (loaded) => setModule(loaded),
        () => setFailures((count) => count + 1),
      );
    const timer = setTimeout(() => {
      cancelIdle = onIdle(load);
    }, waitAfterFailures(failures));
    return () => {
      clearTimeout(timer);
      cancelIdle();
    };
  }, [module, isOnline, failures]);
  return module;
}

const ROWS = ['one', 'two', 'three'];

/** In the place of the list while it is on its way. */
export function FilesLoading() {
  const texts = useTexts(filesTexts);
  return (
    <Loading label={texts.loading}>
      <div className="card divide-y divide-line">
        {ROWS.map((row) => (
          <div key={row} className="flex items-center gap-3 px-4 py-3">
            <Skeleton className="size-10" />
            <span className="grid flex-1 gap-2">
              <Skeleton className="h-3.5 w-48 max-w-full" />
              <Skeleton className="h-2.5 w-24 max-w-full" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}
