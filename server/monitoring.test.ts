/** The alert rules and the dashboard of docs/monitoring/. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPromtool, WITHOUT_PROMTOOL } from '@greenroom/testing/promtool';
import { describe, expect, it } from 'vitest';
import { documentedMetrics } from './testing/documented-metrics.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../docs/monitoring/${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(name), 'utf8');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const rules = Array.from(
  read('alerts.yml').matchAll(/alert: (?<title>\w+)\n +expr: >-\n +(?<expr>.+)\n/g),
  ({ groups }) => ({ title: groups?.title ?? '', expr: groups?.expr ?? '' }),
);

/** Names in expressions, with the suffixes that histograms add. */
const known = new Set(
  documentedMetrics().flatMap((metric) => {
    const [name = '', type] = metric.split(' ');
    return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
  }),
);

it('reads all rules and queries', () => {
  expect(rules.length).toBe(read('alerts.yml').match(/alert:/g)?.length);
  expect(queries.length).toBeGreaterThan(30);
});

it.each([...rules, ...queries])('$title uses metrics that exist', ({ expr }) => {
  const names = expr.match(/\b(?:greenroom|process|nodejs)_\w+/g) ?? [];
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(names.length > 0 || expr.startsWith('up{')).toBe(true);
});

it.each(rules)('$title has a case in which it fires, and one in which it does not', ({ title }) => {
  const cases = read('alerts.test.yml');
  expect(cases).toContain(`alertname: ${title}\n`);
  expect(cases).toContain(`{ eval_time: 90m, alertname: ${title}, exp_alerts: [] }`);
});

describe.skipIf(WITHOUT_PROMTOOL !== undefined)('promtool', () => {
  it('accepts the alert rules, and each fires and stays silent as its unit tests say', () => {
    expect(runPromtool(['check', 'rules', pathOf('alerts.yml')])).toMatchObject({ code: 0 });
    const { code, output } = runPromtool(['test', 'rules', pathOf('alerts.test.yml')]);
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('parses every query of the Grafana dashboard', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-dashboard-'));
    const file = join(folder, 'queries.yml');
    const lines = queries.flatMap(({ expr }, index) => [
      `      - record: query:${index}`,
      `        expr: ${JSON.stringify(withoutVariables(expr))}`,
    ]);
    await writeFile(file, ['groups:', '  - name: queries', '    rules:', ...lines, ''].join('\n'));
    try {
      const { code, output } = runPromtool(['check', 'rules', file]);
      expect([code, output]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Replaces the variables that Grafana fills in. */
function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
}
