/** Runs attacks in sequence against an instance, and measures its other clients during attacks and in quiet windows. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attacker/attack.ts';
import { type AttackReport, runAttacker } from './attacker/attacker-process.ts';
import { SERVICES } from './clients/operation.ts';
import { watchMemory } from './instance/memory.ts';
import type { Profile } from './instance/settings.ts';
import { openTestbed, type Testbed } from './instance/testbed.ts';
import { type Latency, latencies, type Sample } from './report/latency.ts';
import { type Row, type ServerFigures, tableHead, tableRow } from './report/table.ts';
import { allowedP99Ms, errorsOf, type Missed, missedGoals, verdictOf } from './report/verdict.ts';

/** Number of attacks between two quiet windows. */
const ATTACKS_PER_QUIET = 6;
const WARM_UP_MS = 5000;
const ACCOUNTS = 5;
/** Addresses of attackers are in 127.0.2.0/24, and of repeated attacks in the following networks. */
const FIRST_NETWORK = 2;
/** Time for a server to recover after an attack: it must respond three times in a row within the allowed p99. */
const RECOVERY_MS = 15_000;
const RECOVERED_MS = 100;
const RECOVERED_RESPONSES = 3;
const RECOVERY_PAUSE_MS = 100;
const RESTART_MS = 60_000;
const LOG_LINES = 20;

/** The figures of an attack in one window. */
interface AttackedWindow extends Row {
  /** The first errors in the server's log. */
  log: string[];
  responses: Record<string, number>;
  missed: Missed;
}

/** The last window of an attack. `missed` is empty if the instance held. */
interface Result extends Omit<AttackedWindow, 'missed'> {
  missed: string[];
}

/** All figures of a run. */
interface SuiteResult {
  baseline: Row[];
  results: Result[];
}

/** Options of {@link runSuite}. */
interface SuiteOptions {
  attacks: readonly Attack[];
  seconds: number;
  print(line: string): void;
  /** Starts the testbed; tests replace it by a smaller one. */
  open?: typeof openTestbed;
  /** Time that the other clients run before the first window, in milliseconds. */
  warmUpMs?: number;
}

/** Runs attacks grouped by the settings that they need, and prints a row for each. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { attacks, seconds, print, open = openTestbed, warmUpMs = WARM_UP_MS } = options;
  const all: SuiteResult = { baseline: [], results: [] };
  print(tableHead(SERVICES));
  for (const [profile, group] of Map.groupBy(attacks, ({ profile }): Profile => profile ?? 'open')) {
    await using testbed = await open(profile);
    await sleep(warmUpMs);
    const baselineSamples: Sample[] = [];
    for (const [index, attack] of group.entries()) {
      if (index % ATTACKS_PER_QUIET === 0) {
        const baseline = await measure(testbed, `(quiet, ${profile})`, () => sleep(seconds * 1000));
        baselineSamples.push(...baseline.samples);
        const { samples: _, ...row } = baseline;
        all.baseline.push({ ...row, notes: [...row.notes, ...errorsOf(row.latencies)] });
        print(tableRow(SERVICES, all.baseline.at(-1) ?? row));
      }
      const number = attacks.indexOf(attack);
      // Uses all quiet windows, because a single one has too few operations for a 99th percentile.
      const baseline = latencies(baselineSamples);
      const onRow = (row: Row) => print(tableRow(SERVICES, row));
      all.results.push(await runAttack({ testbed, attack, number, seconds, baseline }, onRow));
    }
  }
  return all;
}

interface Run {
  testbed: Testbed;
  attack: Attack;
  /** Index of the attack, from which its client address and account names are derived. */
  number: number;
  seconds: number;
  /** Latencies by service in all quiet windows so far. */
  baseline: Record<string, Latency>;
}

/** Repeats an attack until its windows decide. */
async function runAttack(run: Run, onRow: (row: Row) => void): Promise<Result> {
  const windows: Missed[] = [];
  for (;;) {
    const window = await attackOnce(run, windows.length);
    const { faults, delays } = window.missed;
    windows.push(window.missed);
    const verdict = verdictOf(windows);
    onRow({ ...window, verdict });
    if (verdict !== 'again')
      return { ...window, verdict, missed: verdict === 'FAILED' ? [...faults, ...delays] : [] };
  }
}

/** @param repetition 0 for the first window; each has other addresses and accounts, whose limits are not used up */
async function attackOnce(
  { testbed, attack, number, seconds, baseline }: Run,
  repetition: number,
): Promise<AttackedWindow> {
  const { name } = attack;
  const group = `${number}x${repetition}x`;
  const input = {
    name,
    seconds,
    url: testbed.target().url,
    address: `127.0.${FIRST_NETWORK + repetition}.${number + 1}`,
    anonKey: testbed.anonKey,
    accounts: await testbed.addAccounts(`atk${group}`, ACCOUNTS),
    victims: await testbed.addVictims(`vic${group}`, attack.victims ?? 0),
  };
  const before = await testbed.countMessages();
  let report: AttackReport = { responses: {}, cpuMs: 0 };
  const { samples: _, ...row } = await measure(testbed, name, async () => {
    [report] = await Promise.all([runAttacker(input), sleep(seconds * 1000)]);
  });
  const { responses } = report;
  const attackerCores = report.cpuMs / (seconds * 1000);
  const baselineHealthMs = baseline.health?.p99Ms ?? 0;
  const recovery = await recover(
    testbed,
    Math.max(RECOVERED_MS, allowedP99Ms(baselineHealthMs, attackerCores)),
  );
  const after = await testbed.countMessages();
  const evidence = { responses, mails: after.mails - before.mails, sms: after.sms - before.sms };
  const missed = missedGoals({
    attacked: row.latencies,
    baseline,
    attackerCores,
    stallMs: row.server.stallMs,
    goals: attack.goals?.(evidence) ?? [],
    incidents: [...row.notes, ...recovery],
  });
  const notes = [
    ...missed.faults,
    ...missed.delays,
    `answers: ${responsesText(responses)}${messagesText(evidence)}; attacker: ${attackerCores.toFixed(1)} cores`,
    ...(row.log.length === 0
      ? []
      : [`log: ${row.log.length} errors, the first: ${row.log[0]?.slice(0, 300)}`]),
  ];
  return { ...row, log: row.log.slice(0, LOG_LINES), responses, missed, notes };
}

/** The figures of one window. Remarks are incidents, such as the end of the server; `log` has the logged errors. */
type Window = Row & { log: string[]; samples: Sample[] };

/** Measures the other clients and the server while `work` runs. */
async function measure(testbed: Testbed, name: string, work: () => Promise<unknown>): Promise<Window> {
  const target = testbed.target();
  const endMemory = watchMemory(target.pid, target.postmasterPid);
  await target.readStall();
  target.readLog();
  await testbed.clients.begin();
  await work();
  const samples = await testbed.clients.end();
  const stall = await target.readStall();
  const server: ServerFigures = { ...(stall ?? { stallMs: 0, stallByClockMs: 0 }), ...endMemory() };
  const log = target.readLog();
  const notes = incidentsOf(target.ended(), stall !== undefined, log);
  return { name, latencies: latencies(samples), samples, server, verdict: '', notes, log };
}

function incidentsOf(ended: string | undefined, isResponding: boolean, log: readonly string[]): string[] {
  if (ended !== undefined) return [`the server exited: ${ended}: ${log.slice(-5).join(' | ').slice(0, 500)}`];
  return isResponding ? [] : ['the event loop did not respond within 30 s'];
}

/** Waits until the server has recovered, and restarts it if it has not. Returns incidents. */
async function recover(testbed: Testbed, recoveredMs: number): Promise<string[]> {
  if (await isRecovered(testbed, recoveredMs, RECOVERY_MS)) return [];
  const isEnded = testbed.target().ended() !== undefined;
  await testbed.restart();
  // The next attack needs a working server, and a start takes long on some machines.
  await isRecovered(testbed, recoveredMs, RESTART_MS);
  return isEnded ? [] : [`not recovered ${RECOVERY_MS / 1000} s after the attack; restarted`];
}

async function isRecovered(testbed: Testbed, recoveredMs: number, timeoutMs: number): Promise<boolean> {
  const start = performance.now();
  let quick = 0;
  while (testbed.target().ended() === undefined && performance.now() - start < timeoutMs) {
    const sentAt = performance.now();
    const isOk = await isHealthy(testbed.target().url);
    quick = isOk && performance.now() - sentAt < recoveredMs ? quick + 1 : 0;
    if (quick === RECOVERED_RESPONSES) return true;
    await sleep(RECOVERY_PAUSE_MS);
  }
  return false;
}

/** Checks the server on a new connection: an overloaded server may respond on kept ones only. */
function isHealthy(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(RECOVERY_MS);
    const request = get(`${url}/health`, { agent: false, signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

function responsesText(responses: Record<string, number>): string {
  const entries = Object.entries(responses).sort(([, a], [, b]) => b - a);
  return entries.length === 0 ? 'none' : entries.map(([label, count]) => `${label} ×${count}`).join(', ');
}

function messagesText({ mails, sms }: { mails: number; sms: number }): string {
  return mails + sms === 0 ? '' : `; messages: ${mails} mails, ${sms} SMS`;
}
