/** The account page: one card for each thing that can be changed. Every form works without scripts. */

import { oneTimePath } from '../login/one-time-view.ts';
import { usePage } from '../request/page-context.tsx';
import { accountTexts } from '../texts/account.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Account, AccountOutcome, AccountSection } from './account.server.ts';
import { EmailCard } from './email-card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** `outcome` is what came of the form that was sent last; `isRecovered` after a forgotten password. */
export function AccountPage(props: {
  account: Account;
  outcome: AccountOutcome | undefined;
  isRecovered: boolean;
}) {
  const { account, outcome, isRecovered } = props;
  const texts = useTexts(accountTexts);
  const { login } = usePage().config.redirectOptions;
  const of = (section: AccountSection) => (outcome?.section === section ? outcome : undefined);
  return (
    <TooltipProvider>
      <Page>
        <PageHeader title={texts.title} description={texts.lead} />
        {isRecovered && !outcome && <Alert kind="info">{texts.recovered}</Alert>}
        {account.mustProve && (
          <Alert kind="warning">
            <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
              {texts.factors.proveFirst}
              <ButtonLink to={oneTimePath(login, 'factor')} size="small">
                {texts.factors.prove}
              </ButtonLink>
            </span>
          </Alert>
        )}
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          <EmailCard account={account} outcome={of('email')} />
          <PasswordCard outcome={of('password')} />
          <FactorsCard account={account} outcome={of('factors')} />
          <SessionsCard />
        </div>
      </Page>
    </TooltipProvider>
  );
}
