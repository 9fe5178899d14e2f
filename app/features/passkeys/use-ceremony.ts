/** The state of a button that starts a WebAuthn ceremony, with its result. */
import { useState } from 'react';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import type { PageConfig } from '../../lib/page/page-config.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { payloads } from '../../lib/payload/client-payload.ts';
import { uiTexts } from '../../texts/ui.ts';
import { useLanguage } from '../../texts/use-texts.ts';
import type { CeremonyProblem } from './ceremonies.ts';

type Ceremonies = typeof import('./ceremonies.ts');

const loadCeremonies = retriableImport(() => import('./ceremonies.ts'));
const loadTexts = retriableImport(() => import('../../texts/passkey-prompts.ts'));

/** Runs one of the ceremonies. */
export type RunCeremony = (ceremonies: Ceremonies, config: PageConfig) => Promise<CeremonyProblem>;

/** State for a component. `problem` is translated. */
interface CeremonyState {
  begin(): void;
  isPending: boolean;
  problem: string | undefined;
}

/** Loads the code on the first use. `done` is called after a success. */
export function useCeremony(run: RunCeremony, done: () => unknown = () => {}): CeremonyState {
  const { config } = usePage();
  const language = useLanguage();
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = async () => {
    const [ceremonies, { passkeyPromptTexts }] = await Promise.all([loadCeremonies(), loadTexts()]);
    const found = await run(ceremonies, config).catch((): CeremonyProblem => 'failed');
    if (found) return setProblem(passkeyPromptTexts[language][found]);
    // Prefetched payloads belong to a session with fewer rights.
    payloads.clear();
    await done();
  };
  const begin = () => {
    setIsPending(true);
    setProblem(undefined);
    void attempt()
      // The code could not be loaded.
      .catch(() => setProblem(uiTexts[language].notLoaded))
      .finally(() => setIsPending(false));
  };
  return { begin, isPending, problem };
}
