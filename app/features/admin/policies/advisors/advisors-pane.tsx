/** The findings of the advisors by severity, and the SQL that corrects one of them. */
import { Form, useNavigation } from 'react-router';
import { Resolved } from '../../../../lib/resolved.tsx';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { advisorsTexts } from '../../../../texts/admin-policies-advisors.ts';
import { policyEditorTexts } from '../../../../texts/admin-policies-editor.ts';
import { lintTexts } from '../../../../texts/admin-policies-lints.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Loading, TableSkeleton } from '../../../../ui/skeleton.tsx';
import { ConfirmDialog } from '../../../account/confirm-dialog.tsx';
import { SqlBlock } from '../access/sentence.tsx';
import { NotChanged } from '../edit/change-problem.tsx';
import { ReadOnly } from '../edit/read-only.tsx';
import { policiesPath, tablePoliciesPath } from '../selection.ts';
import type { AdvisorsView, FindingFix, FindingList, FixResult, ShownFinding } from './advisors.server.ts';

const CLOSE_TO = policiesPath({ view: 'advisors' });
const TONES: Readonly<Record<ShownFinding['level'], BadgeTone>> = {
  ERROR: 'danger',
  WARN: 'warning',
  INFO: 'info',
};

/** Shows the findings. */
export function AdvisorsPane({ view, result }: { view: AdvisorsView; result: FixResult | undefined }) {
  const texts = useTexts(advisorsTexts);
  const canFix = view.refusal === null;
  const isGone = view.fix === 'gone' || result?.kind === 'fix-gone';
  return (
    <div className="grid grid-cols-1 gap-6">
      {view.refusal !== null && <ReadOnly reason={view.refusal} />}
      {result?.kind === 'not-changed' && <NotChanged outcome={result.outcome} />}
      {isGone && (
        <Alert kind="info" title={texts.fixGone}>
          {texts.fixGoneText}
        </Alert>
      )}
      <Resolved
        data={view.list}
        fallback={
          <Loading label={texts.loading}>
            <TableSkeleton />
          </Loading>
        }
      >
        {(list) => <Findings list={list} canFix={canFix} />}
      </Resolved>
      {canFix && view.fix && view.fix !== 'gone' && !result && <ConfirmFix fix={view.fix} />}
    </div>
  );
}

function Findings({ list, canFix }: { list: FindingList; canFix: boolean }) {
  const texts = useTexts(advisorsTexts);
  const { loadFailed } = useTexts(policiesTexts);
  if (list.kind === 'problem')
    return (
      <Alert kind="error" title={loadFailed}>
        {list.text}
      </Alert>
    );
  if (list.findings.length === 0)
    return (
      <div className="card">
        <EmptyState icon="check" title={texts.none} text={texts.noneText} />
      </div>
    );
  return (['ERROR', 'WARN', 'INFO'] as const).map((level) => {
    const findings = list.findings.filter((finding) => finding.level === level);
    if (findings.length === 0) return null;
    return (
      <Card key={level} title={texts.levels[level](findings.length)}>
        <ul aria-label={texts.levels[level](findings.length)} className="divide-y divide-line">
          {findings.map((finding) => (
            <FindingItem key={finding.cache_key} finding={finding} canFix={canFix} />
          ))}
        </ul>
      </Card>
    );
  });
}

/** The sentence about the object is in English in each language. */
function FindingItem({ finding, canFix }: { finding: ShownFinding; canFix: boolean }) {
  const texts = useTexts(advisorsTexts);
  const { detail, level, category, name, table, cache_key: key } = finding;
  const { title, description, remediation, language } = lintTexts(finding, useLanguage());
  return (
    <li className="grid gap-2 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <Badge tone={TONES[level]}>{texts.level[level]}</Badge>
          <Badge>{texts.categories[category]}</Badge>
          <code className="font-mono text-caption text-ink-muted">{name}</code>
        </div>
        <div className="flex flex-wrap gap-2">
          {table && (
            <ButtonLink size="small" variant="ghost" to={tablePoliciesPath(table)}>
              {texts.openTable(`${table.schema}.${table.name}`)}
            </ButtonLink>
          )}
          {canFix && finding.isFixable && (
            <ButtonLink
              size="small"
              preventScrollReset
              aria-label={texts.fixOf(detail)}
              to={policiesPath({ view: 'advisors', fix: key })}
            >
              {texts.fix}
            </ButtonLink>
          )}
        </div>
      </div>
      <div lang={language} className="grid gap-1 text-body [overflow-wrap:anywhere]">
        <h3 className="font-medium">{title}</h3>
        <p lang="en">{detail}</p>
        <p className="text-ink-muted">{description}</p>
        <p className="text-ink-muted">
          {texts.remedy}: {remediation}
        </p>
      </div>
    </li>
  );
}

function ConfirmFix({ fix: { finding, sql } }: { fix: FindingFix }) {
  const texts = useTexts(advisorsTexts);
  const editor = useTexts(policyEditorTexts);
  const isPending = useNavigation().state === 'submitting';
  return (
    <ConfirmDialog title={texts.confirm} text={finding.detail} closeTo={CLOSE_TO}>
      <Form method="post" action={CLOSE_TO} className="grid gap-4">
        <input type="hidden" name="intent" value="fix" />
        <input type="hidden" name="key" value={finding.cache_key} />
        <input type="hidden" name="sql" value={sql} />
        <SqlBlock label={editor.sql} sql={sql} />
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={CLOSE_TO} preventScrollReset>
            {texts.cancel}
          </ButtonLink>
          <Button type="submit" variant="primary" isPending={isPending}>
            {texts.run}
          </Button>
        </div>
      </Form>
    </ConfirmDialog>
  );
}
