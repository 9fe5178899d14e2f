/** The state of the instance. */
import { adminOverviewTexts } from '../../../texts/admin-overview.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import type { Overview } from './overview.server.ts';

/** Shows the health of each part, and the version. */
export function OverviewPage({ health }: Pick<Overview, 'health'>) {
  const texts = useTexts(adminOverviewTexts);
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={health ? texts.version(health.version) : texts.description}
      />
      {health ? (
        <ul className="card grid divide-y divide-line" aria-label={texts.parts}>
          {Object.entries(health.parts).map(([name, state]) => (
            <li key={name} className="flex items-center justify-between gap-4 px-4 py-2.5 text-body">
              {name}
              <Badge tone={state === 'ok' ? 'primary' : 'danger'}>{texts.states[state]}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <div className="card">
          <EmptyState icon="info" title={texts.noHealth} text={texts.noHealthText} />
        </div>
      )}
    </Page>
  );
}
