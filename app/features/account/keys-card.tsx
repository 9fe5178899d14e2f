/** The card of security keys as second factors. Only adding one needs scripts. */

import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Card } from '../../ui/card.tsx';
import { AddCredential } from '../passkeys/add-credential.tsx';
import { Success } from './card-form.tsx';
import { FactorRows } from './factor-rows.tsx';
import type { OwnFactor } from './factors.server.ts';
import { freeName } from './free-name.ts';
import type { AccountOutcome } from './outcome.server.ts';

/** `factors` are all of the account's. */
export function KeysCard(props: { factors: readonly OwnFactor[]; outcome: AccountOutcome | undefined }) {
  const { factors, outcome } = props;
  const texts = useTexts(accountTexts).keys;
  const keys = factors.filter(({ kind }) => kind === 'webauthn');
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && <Alert kind="error">{outcome.problem}</Alert>}
        <FactorRows factors={keys} card="keys" texts={texts} />
        <AddCredential
          key={outcome ? 'sent' : 'fresh'}
          texts={texts}
          run={({ addKey }, config) => addKey(config, freeName(texts.name, factors))}
        />
      </div>
    </Card>
  );
}
