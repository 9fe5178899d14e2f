/** Security keys as second factors. Only adding one needs scripts. */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useCeremony } from '../passkeys/use-ceremony.ts';
import { useWebauthn } from '../passkeys/use-webauthn.ts';
import { accountTexts } from '../texts/account.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FactorRows } from './factor-rows.tsx';
import type { OwnFactor } from './factors.server.ts';
import { freeName } from './free-name.ts';
import type { AccountOutcome } from './outcome.server.ts';
import { Success } from './section-form.tsx';

/** `factors` are all of the account's. */
export function KeysCard(props: { factors: readonly OwnFactor[]; outcome: AccountOutcome | undefined }) {
  const { factors, outcome } = props;
  const texts = useTexts(accountTexts).keys;
  const keys = factors.filter(({ kind }) => kind === 'webauthn');
  return (
    <Card title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && <Alert kind="error">{outcome.problem}</Alert>}
        <FactorRows factors={keys} section="keys" texts={texts} />
        <AddKey key={outcome ? 'sent' : 'fresh'} name={freeName(texts.name, factors)} />
      </div>
    </Card>
  );
}

function AddKey({ name }: { name: string }) {
  const texts = useTexts(accountTexts).keys;
  const { revalidate } = useRevalidator();
  const [isAdded, setIsAdded] = useState(false);
  const { begin, isPending, problem } = useCeremony(
    ({ addKey }, config) => addKey(config, name),
    async () => {
      await revalidate();
      setIsAdded(true);
    },
  );
  const canUse = useWebauthn();
  if (canUse === false) return <p className="text-small text-ink-muted">{texts.notHere}</p>;
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
