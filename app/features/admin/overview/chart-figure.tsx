/** A chart with its current values. Its table contains the same values, also without scripts. */
import { lazy, Suspense, useMemo } from 'react';
import { Optional } from '../../../lib/optional.tsx';
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts';
import { adminOverviewTexts } from '../../../texts/admin-overview.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Cell, Heading, Row, RowHeading, Table, TableHead } from '../../../ui/table.tsx';
import { type Chart, currentValue, type Series, tableRows } from './charts.ts';
import { formatValue } from './format-value.ts';
import { lineColour } from './line-colours.ts';

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'));

/** Shows a chart. */
export function ChartFigure({ chart }: { chart: Chart }) {
  const texts = useTexts(adminOverviewTexts);
  const isHydrated = useIsHydrated();
  const names: Readonly<Record<string, string>> = texts.series;
  const labels = useMemo(() => chart.series.map(({ id }) => names[id] ?? id), [chart, names]);
  const title = texts.charts[chart.id];
  return (
    <figure aria-label={title} className="card grid grid-cols-1 content-start gap-3 p-4">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-body font-semibold tracking-tight">{title}</span>
        <ul className="flex flex-wrap gap-x-4 text-small text-ink-muted">
          {chart.series.map((series, index) => (
            <li key={series.id} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2 rounded-full ${lineColour(index)}`} />
              {labels[index]} <CurrentValue series={series} chart={chart} />
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="h-40">
        {isHydrated && chart.times.length > 0 && (
          <Optional>
            <Suspense>
              <ChartCanvas chart={chart} labels={labels} />
            </Suspense>
          </Optional>
        )}
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-small text-ink-muted hover:text-ink">
          {texts.asTable}
        </summary>
        <div className="pt-3">
          <ChartTable chart={chart} title={title} labels={labels} />
        </div>
      </details>
    </figure>
  );
}

function CurrentValue({ series, chart }: { series: Series; chart: Chart }) {
  const { unknown } = useTexts(adminOverviewTexts);
  const language = useLanguage();
  const value = currentValue(series);
  return (
    <strong className="font-medium text-ink tabular-nums">
      {value === null ? unknown : formatValue(value, chart.unit, language)}
    </strong>
  );
}

function ChartTable(props: { chart: Chart; title: string; labels: readonly string[] }) {
  const { chart, title, labels } = props;
  const { time, unknown } = useTexts(adminOverviewTexts);
  const language = useLanguage();
  return (
    <Table caption={title}>
      <TableHead>
        <Heading>{time}</Heading>
        {labels.map((label) => (
          <Heading key={label}>{label}</Heading>
        ))}
      </TableHead>
      <tbody>
        {tableRows(chart).map((row) => (
          <Row key={row.time}>
            <RowHeading>
              <time dateTime={new Date(row.time * 1000).toISOString()} className="tabular-nums">
                {new Date(row.time * 1000).toISOString().slice(5, 16).replace('T', ' ')}
              </time>
            </RowHeading>
            {row.values.map((value, index) => (
              <Cell key={chart.series[index]?.id} className="tabular-nums">
                {value === null ? unknown : formatValue(value, chart.unit, language)}
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
