/** What a measurement prints. */

/** One figure. A target is what we want to reach; the bench says whether it is met, and fails nothing. */
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

/** Requests a second with latencies, as text. */
export function rateText(rate: { perSecond: number; p50Ms: number; p99Ms: number }): string {
  return `${Math.round(rate.perSecond)}/s  p50 ${rate.p50Ms.toFixed(1)} ms  p99 ${rate.p99Ms.toFixed(1)} ms`;
}
