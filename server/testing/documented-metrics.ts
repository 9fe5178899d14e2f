/** Reads the tables of docs/reference/metrics.md, and the metrics that a server sends, to compare them. */
import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/reference/metrics.md', import.meta.url);
const ROW = /^\| `(?<name>\w+)` \| (?<type>counter|gauge|histogram) \|/gm;

/** Returns the metrics of the page as `name type`, sorted. */
export function documentedMetrics(): string[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(ROW);
  return Array.from(rows, ({ groups }) => `${groups?.name} ${groups?.type}`).sort();
}

/** Returns the metrics of a text in Prometheus' format as `name type`, sorted. */
export function sentMetrics(text: string): string[] {
  return Array.from(text.matchAll(/^# TYPE (\S+ \S+)$/gm), ([, metric = '']) => metric).sort();
}
