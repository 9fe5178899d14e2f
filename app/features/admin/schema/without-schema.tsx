/** The states of the schema pages without a schema. */
import { adminSchemaTexts } from '../../../texts/admin-schema.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';

/** The backend is hosted elsewhere, or the database does not respond. */
export function WithoutSchema({ kind }: { kind: 'hosted' | 'unavailable' }) {
  const texts = useTexts(adminSchemaTexts);
  const isHosted = kind === 'hosted';
  return (
    <Page>
      <div className="card">
        <EmptyState
          level={1}
          icon={isHosted ? 'info' : 'alert'}
          title={isHosted ? texts.hosted : texts.unavailable}
          text={isHosted ? texts.hostedText : texts.unavailableText}
        />
      </div>
    </Page>
  );
}
