/** The lines of a chart on a canvas, by uPlot. Loaded when the page is hydrated. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLanguage } from '../../../texts/use-texts.ts';
import type { Chart } from './charts.ts';
import { formatTicks } from './format-tick.ts';
import { formatValue } from './format-value.ts';
import { lineColour } from './line-colours.ts';

const HEIGHT = 160;
const AXIS_WIDTH = 68;
const TIME_AXIS_HEIGHT = 30;

/** @param labels the name of each series */
export default function ChartCanvas({ chart, labels }: { chart: Chart; labels: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const text = getComputedStyle(element).color;
    const line = { stroke: text, grid: { stroke: '#80808033', width: 1 }, ticks: { show: false } };
    const format = (value: number | null) =>
      value === null ? '–' : formatValue(value, chart.unit, language);
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...line, size: TIME_AXIS_HEIGHT, values: (_, times) => formatTicks(times, language) },
          { ...line, size: AXIS_WIDTH, values: (_, values) => values.map(format) },
        ],
        series: [
          {},
          ...labels.map((label, index) => ({
            label,
            stroke: colourOf(lineColour(index), element),
            width: 1.5,
            points: { show: chart.times.length < 3 },
          })),
        ],
      },
      [[...chart.times], ...chart.series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [chart, labels, language]);
  return <div ref={box} aria-hidden="true" className="h-40 overflow-hidden text-ink-muted" />;
}

/** A canvas needs the colour itself, which depends on the mode of the page. */
function colourOf(className: string, parent: Element): string {
  const sample = document.createElement('span');
  sample.className = className;
  parent.append(sample);
  const { backgroundColor } = getComputedStyle(sample);
  sample.remove();
  return backgroundColor;
}
