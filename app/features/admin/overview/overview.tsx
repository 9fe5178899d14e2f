/** The state of the instance: the health of its parts, its charts, and recent errors, statements and changes. */
import { adminOverviewTexts } from '../../../texts/admin-overview.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { ChartsSection } from './charts-section.tsx';
import type { Overview } from './overview.server.ts';
import { RecentChanges, RecentErrors, SlowStatementsCard } from './recent-cards.tsx';

const BACKUP_TONES = { starting: 'neutral', ok: 'primary', behind: 'warning', failing: 'danger' } as const;

/** Shows the page. */
export function OverviewPage({ overview }: { overview: Overview }) {
  const texts = useTexts(adminOverviewTexts);
  const { health, range, history, errors, statements, changes } = overview;
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={health ? texts.version(health.version) : texts.description}
      />
      {health ? (
        <Parts health={health} />
      ) : (
        <div className="card">
          <EmptyState icon="info" title={texts.noHealth} text={texts.noHealthText} />
        </div>
      )}
      <ChartsSection range={range} history={history} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <RecentErrors errors={errors} />
        <RecentChanges changes={changes} />
      </div>
      <SlowStatementsCard statements={statements} />
    </Page>
  );
}

function Parts({ health }: { health: NonNullable<Overview['health']> }) {
  const texts = useTexts(adminOverviewTexts);
  const { parts, backup } = health;
  return (
    <ul className="card flex flex-wrap gap-x-6 gap-y-2 px-4 py-3 text-body" aria-label={texts.parts}>
      {Object.entries(parts).map(([name, state]) => (
        <li key={name} className="flex items-center gap-2">
          {name}
          <Badge tone={state === 'ok' ? 'primary' : 'danger'}>{texts.states[state]}</Badge>
        </li>
      ))}
      {backup && (
        <li className="flex items-center gap-2">
          {texts.backup}
          <Badge tone={BACKUP_TONES[backup.state]}>{texts.backupStates[backup.state]}</Badge>
        </li>
      )}
    </ul>
  );
}
