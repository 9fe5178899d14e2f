/** The reason why nothing can be changed. */
import type { MetaStatus } from '../../../../session/meta-client.server.ts';
import { changeRefusalTexts } from '../../../../texts/admin-changes.ts';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';

/** Shows the reason. */
export function ReadOnly({ reason }: { reason: NonNullable<MetaStatus['schema_changes_refusal']> }) {
  const { readOnly } = useTexts(policiesTexts);
  const reasons = useTexts(changeRefusalTexts);
  return (
    <Alert kind="info" title={readOnly}>
      {reasons[reason]}
    </Alert>
  );
}
