/** The card of the user's name and picture. */

import { profileTexts } from '../../texts/account-profile.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { OwnPicture } from '../avatar/own-picture.tsx';
import type { Account } from './account.server.ts';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome } from './outcome.server.ts';

/** Shows the picture and the form for the name. */
export function ProfileCard(props: { account: Account; outcome: AccountOutcome | undefined }) {
  const { account, outcome } = props;
  const texts = useTexts(profileTexts);
  const { name, displayName, canChangePicture } = account;
  return (
    <Card headingLevel={3} title={texts.title}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        <OwnPicture name={displayName} canChange={canChangePicture} />
        <CardForm intent="profile" outcome={outcome} resets={false}>
          {(isPending) => (
            <>
              <Field
                key={name}
                label={texts.field}
                name="fullName"
                type="text"
                autoComplete="name"
                defaultValue={outcome?.typed ?? name}
                error={outcome?.problem}
                hint={texts.hint}
              />
              <Button type="submit" isPending={isPending} className="justify-self-start">
                {texts.save}
              </Button>
            </>
          )}
        </CardForm>
      </div>
    </Card>
  );
}
