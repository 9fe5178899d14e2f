/**
 * The files on the home page. The list works without scripts; the tools are large, so they are loaded when
 * the browser is idle.
 */
import {
  browserSupabase,
  type Claims,
  Resolved,
  retriableImport,
  useIdleModule,
  useOnline,
  useTexts,
} from 'greenroom/app';
import { useId } from 'react';
import { filesTexts } from '../../texts/files.ts';
import type { FilesLoad } from './files.server.ts';
import { FilesLoading } from './files-loading.tsx';
import type { FilesOutcome } from './files-outcome.ts';
import { FILES_ID } from './files-path.ts';
import { LazyPlainFiles } from './lazy-plain-files.tsx';

/** `outcome` is the result of a form without scripts. */
interface FilesProps {
  user: Claims;
  load: FilesLoad;
  outcome: FilesOutcome | undefined;
}

/** The section of files. */
export function Files({ user, load, outcome }: FilesProps) {
  const texts = useTexts(filesTexts);
  const titleId = useId();
  const tools = useTools();
  return (
    <section id={FILES_ID} aria-labelledby={titleId} className="grid scroll-mt-20 grid-cols-1 gap-4">
      <header>
        <h2 id={titleId} className="text-title font-semibold">
          {texts.title}
        </h2>
        <p className="text-body text-ink-muted">{texts.lead}</p>
      </header>
      <Resolved data={load.files} fallback={<FilesLoading />}>
        {(data) =>
          tools ? (
            <tools.FileTools
              key={user.sub}
              client={tools.client}
              ownerId={user.sub}
              loaded={data}
              now={load.now}
              outcome={outcome}
            />
          ) : (
            <LazyPlainFiles data={data} now={load.now} outcome={outcome} />
          )
        }
      </Resolved>
    </section>
  );
}

const loadCode = retriableImport(() => import('./file-tools.tsx'));

async function loadTools() {
  const [{ FileTools }, client] = await Promise.all([loadCode(), browserSupabase()]);
  return { FileTools, client };
}

function useTools() {
  return useIdleModule(loadTools, useOnline());
}
