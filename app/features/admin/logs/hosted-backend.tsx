import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

/** The page of an instance whose backend is hosted elsewhere. */
export function HostedBackend() {
  const { title, hostedTitle, hostedText } = useTexts(adminLogsTexts);
  return (
    <Page>
      <PageHeader title={title} />
      <div className="card">
        <EmptyState icon="info" title={hostedTitle} text={hostedText} />
      </div>
    </Page>
  );
}
