/** The card of recovery codes, for users with a second factor: new codes, or the number of unused ones. */
import { recoveryCodeTexts } from '../../texts/account-recovery-codes.ts';
import { useSiteName, useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { RecoveryCodeCount } from '../login/recovery-code-count.server.ts';
import { CardForm, Success } from './card-form.tsx';
import type { AccountOutcome } from './outcome.server.ts';

/** At or below this number, the user is advised to create new ones. */
const LOW_COUNT = 3;

/** `outcome` is that of this card; `codes` were just created, by any form of the page. */
export function RecoveryCodesCard(props: {
  count: RecoveryCodeCount;
  codes: readonly string[] | undefined;
  outcome: AccountOutcome | undefined;
}) {
  const { count, codes, outcome } = props;
  const texts = useTexts(recoveryCodeTexts);
  return (
    <Card headingLevel={3} title={texts.title} description={texts.lead}>
      <div className="grid gap-4 p-5">
        <Success outcome={outcome} />
        {outcome?.problem && <Alert kind="error">{outcome.problem}</Alert>}
        {codes ? <NewCodes codes={codes} /> : <CodesLeft count={count} />}
      </div>
    </Card>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  const texts = useTexts(recoveryCodeTexts);
  const text = `${texts.fileHead(useSiteName())}\n\n${codes.join('\n')}\n`;
  return (
    <div className="grid gap-4">
      <Alert kind="warning">{texts.shownOnce}</Alert>
      <ul
        aria-label={texts.listLabel}
        className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4"
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="font-mono text-body tabular-nums">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink to="/account" variant="primary" preventScrollReset>
          {texts.saved}
        </ButtonLink>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={texts.fileName}
          className={buttonClass({ variant: 'secondary' })}
        >
          {texts.download}
        </a>
        <CopyButton text={codes.join('\n')} label={texts.copy} />
      </div>
    </div>
  );
}

function CodesLeft({ count: { total, remaining, createdAt } }: { count: RecoveryCodeCount }) {
  const texts = useTexts(recoveryCodeTexts);
  const hasNone = createdAt === undefined;
  const text = hasNone ? texts.none : texts.remaining(remaining, total);
  return (
    <>
      {remaining <= LOW_COUNT ? <Alert kind="warning">{text}</Alert> : <p className="text-body">{text}</p>}
      <CardForm intent="recovery-codes">
        {(isPending) => (
          <Button type="submit" isPending={isPending} className="justify-self-start">
            {hasNone ? texts.generate : texts.regenerate}
          </Button>
        )}
      </CardForm>
      {!hasNone && <p className="text-small text-ink-muted">{texts.regenerateHint}</p>}
    </>
  );
}
