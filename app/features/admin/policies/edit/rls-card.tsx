/** The state of row-level security of a table, and links to the forms that switch it. */
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { canHavePolicies, type TableInfo } from '../access/model.ts';
import { policiesPath, type Selection, tableOf } from '../selection.ts';
import type { RlsSwitch } from './policy-sql.ts';

/** Returns the switches that have an effect on a table. */
function switchesFor({ hasRls, isForced }: TableInfo): RlsSwitch[] {
  return [hasRls ? 'disable' : 'enable', ...(hasRls ? [isForced ? 'no force' : 'force'] : [])] as RlsSwitch[];
}

/** Shows the state. */
export function RlsCard(props: { table: TableInfo; selection: Selection; canEdit: boolean }) {
  const { table, selection, canEdit } = props;
  const { rls } = useTexts(policiesTexts);
  return (
    <Card
      title={rls.title}
      actions={
        canEdit &&
        switchesFor(table).map((change) => (
          <ButtonLink
            key={change}
            size="small"
            preventScrollReset
            to={policiesPath({ ...tableOf(selection), rls: change })}
          >
            {rls[change]}
          </ButtonLink>
        ))
      }
    >
      <div className="flex flex-wrap items-center gap-3 px-5 py-4 text-body">
        <RlsState table={table} />
      </div>
    </Card>
  );
}

function RlsState({ table }: { table: TableInfo }) {
  const { rls, rlsOff } = useTexts(policiesTexts);
  if (!canHavePolicies(table)) return <p>{rls.impossible}</p>;
  if (!table.hasRls)
    return (
      <>
        <Badge tone="warning">{rlsOff}</Badge>
        <p>{rls.off}</p>
      </>
    );
  return (
    <p>
      {rls.on} {table.isForced ? rls.forced : rls.notForced(table.owner)}
    </p>
  );
}
