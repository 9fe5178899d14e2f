/** The output of a measurement. */

/** One figure. The output shows whether its target is met; a missed target is not an error. */
export interface Figure {
  name: string;
  value: string;
  /** The share of the reference, e.g. 0.45; absent for figures without one. */
  ratio?: { of: string; share: number };
  target?: { text: string; met: boolean };
}

/** Prints figures as aligned lines. */
export function printFigures(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map((figure) => figure.name.length));
  for (const { name, value, ratio, target } of figures) {
    const share = ratio ? `  = ${Math.round(ratio.share * 100)} % of ${ratio.of}` : '';
    const goal = target ? `  [${target.met ? 'met' : 'MISSED'}: ${target.text}]` : '';
    process.stdout.write(`  ${name.padEnd(width)}  ${value}${share}${goal}\n`);
  }
}

/** Formats requests per second with latencies. */
export function rateText({
  perSecond,
  p50Ms,
  p99Ms,
}: {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}): string {
  return `${Math.round(perSecond)}/s  p50 ${durationText(p50Ms)}  p99 ${durationText(p99Ms)}`;
}

function durationText(ms: number): string {
  return ms < 0.1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`;
}
