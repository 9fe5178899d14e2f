/** The policies of a table. */
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { withoutParentheses } from '../access/conditions.ts';
import type { Policy, TableInfo } from '../access/model.ts';
import { Code } from '../access/sentence.tsx';
import { policiesPath, type Selection, tableOf } from '../selection.ts';

/** Shows the policies, with links to their forms. */
export function PolicyList(props: { table: TableInfo; selection: Selection; canEdit: boolean }) {
  const { table, selection, canEdit } = props;
  const texts = useTexts(policiesTexts);
  const { policies } = table;
  return (
    <Card
      title={texts.policies}
      description={texts.policyCount(policies.length)}
      actions={
        canEdit && (
          <ButtonLink
            size="small"
            variant="primary"
            preventScrollReset
            to={policiesPath({ ...tableOf(selection), new: 'own-rows' })}
          >
            {texts.newPolicy}
          </ButtonLink>
        )
      }
    >
      {policies.length === 0 && (
        <EmptyState icon="shield" title={texts.noPolicies} text={canEdit && texts.noPoliciesText} level={3} />
      )}
      {policies.length > 0 && !table.hasRls && (
        <div className="px-5 pt-4">
          <Alert kind="warning">{texts.ineffective}</Alert>
        </div>
      )}
      {policies.length > 0 && (
        <ul aria-label={texts.policies} className="divide-y divide-line">
          {policies.map((policy) => (
            <PolicyItem key={policy.name} policy={policy} selection={selection} canEdit={canEdit} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PolicyItem(props: { policy: Policy; selection: Selection; canEdit: boolean }) {
  const { policy, selection, canEdit } = props;
  const texts = useTexts(policiesTexts);
  const { name, command, isPermissive, roles, using, check } = policy;
  return (
    <li className="grid gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h3 className="text-body font-medium [overflow-wrap:anywhere]">{name}</h3>
          <Badge>{texts.commands[command]}</Badge>
          <Badge tone={isPermissive ? 'neutral' : 'info'}>
            {isPermissive ? texts.permissive : texts.restrictive}
          </Badge>
          <span className="text-small text-ink-muted">{texts.to(roles.join(', '))}</span>
        </div>
        {canEdit && (
          <div className="flex gap-2">
            <ButtonLink
              size="small"
              preventScrollReset
              aria-label={texts.editPolicy(name)}
              to={policiesPath({ ...tableOf(selection), edit: name })}
            >
              {texts.edit}
            </ButtonLink>
            <ButtonLink
              size="small"
              variant="ghost"
              preventScrollReset
              aria-label={texts.dropPolicy(name)}
              to={policiesPath({ ...tableOf(selection), drop: name })}
            >
              {texts.drop}
            </ButtonLink>
          </div>
        )}
      </div>
      <Clause label={texts.using} expression={using} />
      <Clause label={texts.check} expression={check} />
    </li>
  );
}

function Clause({ label, expression }: { label: string; expression: string | null }) {
  if (expression === null) return null;
  return (
    <p className="text-small">
      <span className="text-ink-muted">{label}: </span>
      <Code text={withoutParentheses(expression)} />
    </p>
  );
}
