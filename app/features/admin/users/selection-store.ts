/** The selected users and the running change. They outlive the pages of the list, so that a change goes on when the page is left. */
import { useSyncExternalStore } from 'react';
import { withBase } from '../../../lib/page/base-path.ts';
import { readPage } from '../../../lib/page/page-context.tsx';
import { payloads } from '../../../lib/payload/client-payload.ts';
import {
  advanceJob,
  type BulkAction,
  type BulkEvent,
  type BulkFailure,
  type BulkJob,
  nextGroup,
  startJob,
} from './bulk-job.ts';

/** Selected users: ids and names. */
type Selection = ReadonlyMap<string, string>;

interface State {
  selection: Selection;
  job: BulkJob | undefined;
}

const EMPTY: State = { selection: new Map(), job: undefined };
let state = EMPTY;
const listeners = new Set<() => void>();

function update(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the state, and subscribes to changes. */
export function useSelection(): State {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => EMPTY,
  );
}

/** Selects users, or ends their selection. */
export function select(users: Iterable<[id: string, name: string]>, isSelected: boolean): void {
  const selection = new Map(state.selection);
  for (const [id, name] of users) {
    if (isSelected) selection.set(id, name);
    else selection.delete(id);
  }
  update({ selection });
}

export function clearSelection(): void {
  update({ selection: new Map() });
}

/** Starts a change of the selected users. */
export function startBulkChange(action: BulkAction, value: string): void {
  update({ job: startJob(action, [...state.selection.keys()], value) });
  void run();
}

/** Stops, continues or closes the change. */
export function controlBulkChange(command: 'stop' | 'continue' | 'close'): void {
  if (!state.job) return;
  if (command === 'close') {
    update({ job: undefined, selection: new Map() });
    return;
  }
  update({ job: advanceJob(state.job, { type: command }) });
  if (command === 'continue') void run();
}

async function run(): Promise<void> {
  while (state.job) {
    const ids = nextGroup(state.job);
    if (ids.length === 0) return;
    const event = await send(state.job, ids).catch((): BulkEvent => ({ type: 'failed' }));
    // The data of all pages may have changed.
    payloads.clear();
    update({ job: state.job && advanceJob(state.job, event) });
  }
}

async function send({ action, value }: BulkJob, ids: readonly string[]): Promise<BulkEvent> {
  const body = new URLSearchParams({ action, ids: ids.join(','), duration: value, role: value });
  const response = await fetch(withBase('/admin/users/bulk', readPage().config.baseURL), {
    method: 'POST',
    body,
  });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const { failures } = (await response.json()) as { failures: BulkFailure[] };
  return { type: 'changed', ids, failures };
}
