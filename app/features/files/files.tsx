/**
 * The files on the home page. The list works without scripts; the tools are large, so they are loaded when
 * the browser is idle.
 */
import { useId } from 'react';
import { useIdleModule } from '../../lib/idle/use-idle-module.ts';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import { Resolved } from '../../lib/resolved.tsx';
import { useOnline } from '../../lib/use-online.ts';
import type { Claims } from '../../session/claims.ts';
import { filesTexts } from '../../texts/files.ts';
import { useTexts } from '../../texts/use-texts.ts';
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
  const Tools = tools?.FileTools;
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
          Tools ? (
            <Tools key={user.sub} ownerId={user.sub} loaded={data} now={load.now} outcome={outcome} />
          ) : (
            <LazyPlainFiles data={data} now={load.now} outcome={outcome} />
          )
        }
      </Resolved>
    </section>
  );
}

const loadTools = retriableImport(() => import('./file-tools.tsx'));

function useTools() {
  return useIdleModule(loadTools, useOnline());
}
