/** Asks for a security key. Without scripts it cannot, and is not there. */
import { useRevalidator } from 'react-router';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useCeremony } from '../passkeys/use-ceremony.ts';
import { useWebauthn } from '../passkeys/use-webauthn.ts';

/** `isMain` where it is what most people will press. */
export function KeyButton({ factorId, name, isMain }: { factorId: string; name: string; isMain: boolean }) {
  const texts = useTexts(oneTimeTexts).factor;
  // A session with more rights makes the page ask the server again, which knows where they wanted to go. Going there
  // from here as well would ask twice, and the path is kept for one of them.
  const { state } = useRevalidator();
  const { begin, isPending, problem } = useCeremony(({ showKey }, config) => showKey(config, factorId));
  const canUse = useWebauthn();
  if (canUse === false) return <Alert kind="info">{texts.noKeysHere}</Alert>;
  return (
    <div className="grid gap-3 noscript:hidden">
      {problem && <Alert kind="error">{problem}</Alert>}
      <Button
        type="button"
        size="large"
        look={isMain ? 'primary' : 'secondary'}
        disabled={canUse === undefined}
        isPending={isPending || state === 'loading'}
        onClick={begin}
        className="w-full"
      >
        {texts.keyNamed(name)}
      </Button>
    </div>
  );
}
