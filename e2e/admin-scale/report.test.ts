import { expect, it } from 'vitest';
import { Report } from './report.ts';

function newReport() {
  const lines: string[] = [];
  return { report: new Report((line) => lines.push(line.replace(/ {2,}/g, '  '))), lines };
}

it('counts checks that pass, and names the sizes in its summary', async () => {
  const { report, lines } = newReport();
  report.measure({ name: 'Users: answer', value: 12.4, unit: 'ms', limit: 300 });
  report.measure({ name: 'Users: frames', value: -60, unit: '/s', limit: -50 });
  expect(await report.check('task', 'Users', async () => {})).toBe(true);
  await report.check('page', 'Users', async () => {});
  await report.check('keyboard task', 'ban', async () => {});
  expect(report.hasFailed).toBe(false);
  report.end('5 users');
  expect(lines).toEqual([
    'Users: answer  12 ms',
    'Users: frames  60 /s',
    'task: Users  passed',
    'page: Users  passed',
    'keyboard task: ban  passed',
    '2 measurements, 1 tasks, 1 pages clean, 1 keyboard tasks with 5 users: 0 failed',
  ]);
});

it('lists a measurement above its limit and a check that throws as failures', async () => {
  const { report, lines } = newReport();
  report.measure({ name: 'Rows: statement', value: 101, unit: 'ms', limit: 100, detail: 'select 1' });
  report.measure({ name: 'Rows: frames', value: -49, unit: '/s', limit: -50 });
  const passed = await report.check('task', 'Rows', async () => {
    throw new Error('no row');
  });
  expect([passed, report.hasFailed]).toEqual([false, true]);
  report.end('5 users');
  expect(lines.slice(3)).toEqual([
    '2 measurements, 0 tasks, 0 pages clean, 0 keyboard tasks with 5 users: 3 failed',
    '  Rows: statement: 101 ms (limit 100) select 1',
    '  Rows: frames: 49 /s (limit 50)',
    '  task: Rows: no row',
  ]);
});
