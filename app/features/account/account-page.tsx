/** The account page: sections of cards for each part that can be changed. Every form works without scripts. */

import { usePage } from '../../lib/page/page-context.tsx';
import { oneTimePath } from '../../session/one-time-view.ts';
import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import type { Account } from './account.server.ts';
import { AccountSections } from './account-sections.tsx';
import { Success } from './card-form.tsx';
import type { AccountCard, AccountOutcome } from './outcome.server.ts';

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
        {isRecovered && !outcome && (
          <LinkAlert kind="info" text={texts.recovered} link={texts.password.save} to="#password-card" />
        )}
        {account.needsSecondFactor && (
          <LinkAlert
            kind="warning"
            text={texts.factors.verifyFirst}
            link={texts.factors.verify}
            to={oneTimePath(login, 'factor')}
          />
        )}
        {!account.isAnonymous && of('guest')?.success && <Success outcome={of('guest')} />}
        <AccountSections
          account={account}
          of={of}
          recoveryCodes={outcome?.recoveryCodes}
          hasExportFailed={hasExportFailed}
        />
      </Page>
    </TooltipProvider>
  );
}

/** An alert with a link to the next step. */
function LinkAlert(props: { kind: 'info' | 'warning'; text: string; link: string; to: string }) {
  const { kind, text, link, to } = props;
  return (
    <Alert kind={kind}>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {text}
        <ButtonLink to={to} size="small">
          {link}
        </ButtonLink>
      </span>
    </Alert>
  );
}
