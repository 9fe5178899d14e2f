/** A button that asks for a security key. Hidden without scripts. */
import { useRevalidator } from 'react-router';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useCeremony } from '../passkeys/use-ceremony.ts';
import { useWebauthn } from '../passkeys/use-webauthn.ts';

/** `isMain` marks the primary action. */
export function KeyButton({ factorId, name, isMain }: { factorId: string; name: string; isMain: boolean }) {
  const texts = useTexts(oneTimeTexts).factor;
  // When the session gains rights, the page's data is reloaded, and the server redirects to the saved path.
  // Navigating from here as well would send a second request, and the saved path is available to one
  // request only.
  const { state } = useRevalidator();
  const { begin, isPending, problem } = useCeremony(({ verifyKey }, config) => verifyKey(config, factorId));
  const canUse = useWebauthn();
  if (canUse === false) return <Alert kind="info">{texts.keysUnsupported}</Alert>;
  return (
    <div className="grid gap-3 noscript:hidden">
      {problem && <Alert kind="error">{problem}</Alert>}
      <Button
        type="button"
        size="large"
        variant={isMain ? 'primary' : 'secondary'}
        disabled={canUse === undefined}
        isPending={isPending || state === 'loading'}
        onClick={begin}
        className="w-full"
      >
        {texts.keyButton(name)}
      </Button>
    </div>
  );
}
