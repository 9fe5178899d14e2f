/** The account page: one card for each part that can be changed. Every form works without scripts. */

import { usePage } from '../../lib/page/page-context.tsx';
import { Resolved } from '../../lib/resolved.tsx';
import { oneTimePath } from '../../session/one-time-view.ts';
import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import type { Account } from './account.server.ts';
import { ApplicationsCard } from './applications-card.tsx';
import { EmailCard } from './email-card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { IdentitiesCard } from './identities-card.tsx';
import { GuestCard } from './guest-card.tsx';
import { KeysCard } from './keys-card.tsx';
import type { AccountOutcome, AccountCard } from './outcome.server.ts';
import { DeletionCard, ExportCard } from './own-data-cards.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PhoneCard } from './phone-card.tsx';
import { PhonesCard } from './phones-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { Success } from './card-form.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** `outcome` is the result of the last submitted form; `isRecovered` is true after a password recovery. */
export function AccountPage(props: {
  account: Account;
  outcome: AccountOutcome | undefined;
  isRecovered: boolean;
  /** The export of the user's data failed. */
  hasExportFailed: boolean;
}) {
  const { account, outcome, isRecovered, hasExportFailed } = props;
  const texts = useTexts(accountTexts);
  const { login } = usePage().config.redirectOptions;
  const of = (card: AccountCard) => (outcome?.card === card ? outcome : undefined);
  return (
    <TooltipProvider>
      <Page>
        <PageHeader title={texts.title} description={texts.lead} />
        {isRecovered && !outcome && <Alert kind="info">{texts.recovered}</Alert>}
        {account.needsSecondFactor && (
          <Alert kind="warning">
            <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
              {texts.factors.verifyFirst}
              <ButtonLink to={oneTimePath(login, 'factor')} size="small">
                {texts.factors.verify}
              </ButtonLink>
            </span>
          </Alert>
        )}
        {account.isAnonymous && <GuestCard newEmail={account.newEmail} outcome={of('guest')} />}
        {!account.isAnonymous && of('guest')?.success && <Success outcome={of('guest')} />}
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          {!account.isAnonymous && (
            <OwnCards account={account} of={of} recoveryCodes={outcome?.recoveryCodes} />
          )}
          <ApplicationsCard applications={account.applications} outcome={of('applications')} />
          <SessionsCard sessions={account.sessions} outcome={of('sessions')} />
          <Resolved data={account.sessions} fallback={null}>
            {({ kind }) =>
              kind !== 'unsupported' && (
                <>
                  <ExportCard hasFailed={hasExportFailed} />
                  <DeletionCard account={account} outcome={of('deletion')} />
                </>
              )
            }
          </Resolved>
        </div>
      </Page>
    </TooltipProvider>
  );
}

interface OwnCardsProps {
  account: Account;
  of(card: AccountCard): AccountOutcome | undefined;
  /** Codes that were just created. */
  recoveryCodes: readonly string[] | undefined;
}

/** The cards of profile, sign-in methods and second factors. */
function OwnCards({ account, of, recoveryCodes }: OwnCardsProps) {
  const { factors, passkeys, identities, linkable, linkProblem } = account;
  const hasPhones = account.acceptsPhones || factors.some(({ kind }) => kind === 'phone');
  return (
    <>
      <ProfileCard account={account} outcome={of('profile')} />
      <EmailCard account={account} outcome={of('email')} />
      {account.hasPhoneSignIn && <PhoneCard account={account} outcome={of('phone')} />}
      <PasswordCard account={account} outcome={of('password')} />
      {passkeys && <PasskeysCard passkeys={passkeys} outcome={of('passkeys')} />}
      <IdentitiesCard
        identities={identities}
        linkable={linkable}
        linkProblem={linkProblem}
        outcome={of('identities')}
      />
      <FactorsCard account={account} outcome={of('factors')} />
      <KeysCard factors={factors} outcome={of('keys')} />
      {hasPhones && <PhonesCard factors={factors} outcome={of('phones')} />}
      {account.recoveryCodes && (
        <RecoveryCodesCard
          count={account.recoveryCodes}
          codes={recoveryCodes}
          outcome={of('recovery-codes')}
        />
      )}
    </>
  );
}
