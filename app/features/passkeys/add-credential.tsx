/** The button that adds a passkey or a security key, with the result. Only this needs scripts. */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { type RunCeremony, useCeremony } from './use-ceremony.ts';
import { useWebauthn } from './use-webauthn.ts';

interface AddCredentialTexts {
  add: string;
  added: string;
  /** Shown if the browser does not support passkeys. */
  unsupported: string;
  needsScripts: string;
}

/** `run` asks the device. The page is reloaded before the success message is shown. */
export function AddCredential({ texts, run }: { texts: AddCredentialTexts; run: RunCeremony }) {
  const { revalidate } = useRevalidator();
  const [isAdded, setIsAdded] = useState(false);
  const { begin, isPending, problem } = useCeremony(run, async () => {
    await revalidate();
    setIsAdded(true);
  });
  const canUse = useWebauthn();
  if (canUse === false) return <p className="text-small text-ink-muted">{texts.unsupported}</p>;
  return (
    <>
      {problem && <Alert kind="error">{problem}</Alert>}
      {isAdded && !problem && <Alert kind="success">{texts.added}</Alert>}
      <Button
        type="button"
        disabled={canUse === undefined}
        isPending={isPending}
        onClick={begin}
        className="justify-self-start noscript:hidden"
      >
        {texts.add}
      </Button>
      <p className="hidden text-small text-ink-muted noscript:block">{texts.needsScripts}</p>
    </>
  );
}
