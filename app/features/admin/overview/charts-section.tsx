/** The charts of a range. */
import { useMemo } from 'react';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import { Resolved } from '../../../lib/resolved.tsx';
import { adminOverviewTexts } from '../../../texts/admin-overview.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { CardSkeleton, Loading } from '../../../ui/skeleton.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { chartsOf, type History } from './charts.ts';

const RANGES = ['hour', 'day', 'week'] as const;

/** Shows the charts, and links to other ranges. */
export function ChartsSection(props: {
  range: History['range'];
  history: MaybePromise<History | undefined>;
}) {
  const { range, history } = props;
  const { range: label, ranges } = useTexts(adminOverviewTexts);
  const links = RANGES.map((name) => ({
    to: name === 'hour' ? '/admin' : `/admin?range=${name}`,
    label: ranges[name],
    isCurrent: name === range,
  }));
  const fallback = (
    <Loading>
      <CardSkeleton />
    </Loading>
  );
  return (
    <section aria-label={label} className="grid grid-cols-1 gap-4">
      <div className="justify-self-start">
        <SegmentedLinks label={label} links={links} />
      </div>
      <Resolved data={history} fallback={fallback}>
        {(found) => (found && found.samples.length > 0 ? <Charts history={found} /> : <NoCharts />)}
      </Resolved>
    </section>
  );
}

function Charts({ history }: { history: History }) {
  const charts = useMemo(() => chartsOf(history), [history]);
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {charts.map((chart) => (
        <ChartFigure key={chart.id} chart={chart} />
      ))}
    </div>
  );
}

function NoCharts() {
  const { noHistory, noHistoryText } = useTexts(adminOverviewTexts);
  return (
    <div className="card">
      <EmptyState icon="lucide:gauge" title={noHistory} text={noHistoryText} />
    </div>
  );
}
