/** A chart over the rows of a result. Loaded on demand, with its library. */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { SegmentedRadios } from '../../../../ui/segmented-control.tsx';
import { Select } from '../../../../ui/select.tsx';
import {
  type ChartColumns,
  type ChartData,
  type ChartSource,
  chartData,
  kindOf,
  numericColumns,
  suggestColumns,
} from './chart-data.ts';

type ChartKind = 'line' | 'bar';

const HEIGHT_PX = 320;
const BAR_WIDTH = 0.7;
const MAX_BAR_PX = 80;

/** Suggests the axes; the visitor can change them. */
export default function ChartView(source: ChartSource) {
  const texts = useTexts(sqlResultTexts).chart;
  const suggested = suggestColumns(source);
  const [chosen, setChosen] = useState<ChartColumns>();
  const axes = chosen ?? suggested;
  const xKind = kindOf(source.columns[axes?.x ?? -1]?.type ?? '');
  const [kind, setKind] = useState<ChartKind>(xKind === 'text' ? 'bar' : 'line');
  if (!axes)
    return (
      <div className="card">
        <EmptyState icon="lucide:chart-line" title={texts.none} text={texts.noneText} />
      </div>
    );
  const nameOf = (index: number) => source.columns[index]?.name ?? '';
  return (
    <div className="card grid gap-4 p-4">
      <div className="flex flex-wrap items-end gap-4">
        <SegmentedRadios<ChartKind>
          label={texts.kind}
          options={[
            { value: 'line', label: texts.kinds.line },
            { value: 'bar', label: texts.kinds.bar },
          ]}
          value={kind}
          onChange={setKind}
        />
        <AxisSelect
          label={texts.x}
          value={axes.x}
          options={source.columns.map((_, index) => index)}
          nameOf={nameOf}
          onChange={(x) => setChosen({ ...axes, x })}
        />
        <AxisSelect
          label={texts.y}
          value={axes.y}
          options={numericColumns(source)}
          nameOf={nameOf}
          onChange={(y) => setChosen({ ...axes, y })}
        />
      </div>
      <Plot source={source} axes={axes} kind={kind} label={texts.label(nameOf(axes.y), nameOf(axes.x))} />
    </div>
  );
}

function AxisSelect(props: {
  label: string;
  value: number;
  options: readonly number[];
  nameOf(index: number): string;
  onChange(index: number): void;
}) {
  const { label, value, options, nameOf, onChange } = props;
  return (
    <Select label={label} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {options.map((index) => (
        <option key={index} value={index}>
          {nameOf(index)}
        </option>
      ))}
    </Select>
  );
}

function Plot(props: { source: ChartSource; axes: ChartColumns; kind: ChartKind; label: string }) {
  const { source, axes, kind, label } = props;
  const parent = useRef<HTMLDivElement>(null);
  const { columns, rows } = source;
  const { x, y } = axes;
  const data = useMemo(() => chartData({ columns, rows }, { x, y }), [columns, rows, x, y]);
  useEffect(() => {
    const element = parent.current;
    if (!element) return;
    const colours = getComputedStyle(element);
    const plot = new uPlot(
      optionsOf({ data, kind, label, width: element.clientWidth, colours }),
      [[...data.x], [...data.y]],
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, kind, label]);
  return <div ref={parent} role="img" aria-label={label} className="min-h-80 min-w-0 overflow-hidden" />;
}

function optionsOf(settings: {
  data: ChartData;
  kind: ChartKind;
  label: string;
  width: number;
  colours: CSSStyleDeclaration;
}): uPlot.Options {
  const { data, kind, label, width, colours } = settings;
  const colourOf = (token: string) => colours.getPropertyValue(token) || colours.color;
  const ink = resolved(colourOf('--ink-muted'));
  const line = resolved(colourOf('--line'));
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const bars = uPlot.paths.bars?.({ size: [BAR_WIDTH, MAX_BAR_PX] });
  return {
    width,
    height: HEIGHT_PX,
    scales: { x: { time: data.kind === 'time' } },
    axes: [
      {
        ...axis,
        ...(data.kind === 'text' && { values: (_, splits) => splits.map((at) => data.labels[at] ?? '') }),
      },
      axis,
    ],
    series: [
      data.kind === 'text' ? { label: '', value: (_, at) => data.labels[at] ?? '' } : {},
      {
        label,
        stroke: resolved(colourOf('--solid')),
        width: 2,
        points: { show: data.x.length <= 1 || kind === 'line' ? undefined : false } as uPlot.Series.Points,
        ...(kind === 'bar' && bars && { paths: bars, fill: resolved(colourOf('--primary-line')) }),
      },
    ],
  };
}

/** A canvas knows no `light-dark()`; an element of the page does. */
function resolved(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.querySelector('main')?.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
