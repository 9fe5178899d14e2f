/**
 * The queue of one role and claims. It holds the changes that match the subscriptions of that role and claims, in
 * commit order. It checks each batch under row-level security once, regardless of the number of channels, and delivers
 * the batch to all of them. Queues do not wait for each other. ./queue-state.ts has the life cycle.
 */

import { StateMachine } from '@greenroom/state-machine';
import type { Identity } from '../feed.ts';
import type { PayloadCache } from '../payload/payload-cache.ts';
import type { Relation } from '../replication/pgoutput.ts';
import type { CatalogColumn } from '../subscriptions/catalog.ts';
import type { SubscriptionEntry } from '../subscriptions/subscription.ts';
import type { TableRights } from '../visibility/rights.ts';
import type { CheckVisibility } from '../visibility/visibility-check.ts';
import { VisibilityTimeout } from '../visibility/visible-rows.ts';
import { type ChangeBatch, combineBatches, type QueuedBatch } from './batches.ts';
import { deliverChange } from './delivery.ts';
import { type QueueEffect, type QueueEvent, type QueueState, queueTransition } from './queue-state.ts';

/** Options of {@link IdentityQueue}. */
interface IdentityQueueOptions {
  identity: Identity;
  checkVisibility: CheckVisibility;
  columnsOf: (relation: Relation) => ReadonlyMap<string, CatalogColumn>;
  /** Limits how many slow queues check at the same time, so that they cannot occupy all connections. */
  limitSlow: (work: () => Promise<void>) => Promise<void>;
  /** Cache of JSON payloads, shared by all queues. */
  payloads: PayloadCache;
  /** Called when changes could not be checked and are not delivered. */
  onDropped: (identity: Identity, changes: number, reason: Error) => void;
  /**
   * How long a batch is retried after a statement timeout, in milliseconds from its arrival: a transaction may hold a
   * lock on the table.
   */
  retryMs: number;
}

const ADDED = { type: 'added' } as const;
const DELIVERED = { type: 'delivered' } as const;

/** Checks and delivers the batches of one role and claims, one batch at a time. */
export class IdentityQueue {
  readonly #options: IdentityQueueOptions;
  readonly #machine: StateMachine<QueueState, QueueEvent, QueueEffect>;
  #waiting: QueuedBatch[] = [];
  #current: QueuedBatch | undefined;
  /** Whether the last check timed out. */
  #isSlow = false;

  constructor(options: IdentityQueueOptions) {
    this.#options = options;
    this.#machine = new StateMachine({
      initial: 'idle',
      transition: queueTransition,
      run: (effect) => this.#run(effect),
    });
  }

  /** Time at which the oldest unfinished batch was added, as `performance.now()`; undefined if there is none. */
  get waitingSince(): number | undefined {
    return (this.#current ?? this.#waiting[0])?.since;
  }

  add({ items, done }: ChangeBatch): void {
    this.#waiting.push({ items, done, since: performance.now() });
    this.#machine.send(ADDED);
  }

  /** Drops the waiting batches. The current batch is dropped as well if its check does not succeed. */
  dropWaiting(reason: Error): void {
    this.#machine.send({ type: 'drop' });
    const dropped = this.#waiting;
    this.#waiting = [];
    for (const batch of dropped) batch.done();
    const changes = dropped.reduce((sum, { items }) => sum + items.length, 0);
    if (changes > 0) this.#options.onDropped(this.#options.identity, changes, reason);
  }

  #run(effect: QueueEffect): void {
    switch (effect.type) {
      case 'begin':
        this.#current = combineBatches(this.#waiting);
        break;
      case 'check':
        if (this.#current !== undefined) void this.#check(this.#current);
        break;
      case 'report-dropped':
        this.#options.onDropped(this.#options.identity, this.#current?.items.length ?? 0, effect.error);
        break;
      case 'settle':
        this.#current?.done();
        this.#current = undefined;
        break;
      case 'continue':
        if (this.#waiting.length > 0) this.#machine.send(ADDED);
    }
  }

  async #check(batch: QueuedBatch): Promise<void> {
    let outcome: QueueEvent = DELIVERED;
    try {
      await (this.#isSlow ? this.#options.limitSlow(() => this.#deliver(batch)) : this.#deliver(batch));
      this.#isSlow = false;
    } catch (error) {
      this.#isSlow = error instanceof VisibilityTimeout;
      const isInTime = performance.now() - batch.since <= this.#options.retryMs;
      outcome = { type: this.#isSlow && isInTime ? 'timed-out' : 'failed', error: error as Error };
    }
    this.#machine.send(outcome);
  }

  async #deliver({ items }: QueuedBatch): Promise<void> {
    const open = items.filter(({ entries }) => entries.some(isOpen));
    if (open.length === 0) return;
    const { columnsOf, payloads, checkVisibility } = this.#options;
    const { rights, isVisible } = await checkVisibility(open.map(({ converted }) => converted.change));
    for (const item of open) {
      const { change } = item.converted;
      const table = rights.get(change.relation.oid);
      // The table was renamed meanwhile, so the checked rows may belong to another table.
      if (table === undefined || !isNamed(change.relation, table)) continue;
      deliverChange(item, table, isVisible(change), columnsOf(change.relation), payloads);
    }
  }
}

function isNamed({ schema, table }: Relation, rights: TableRights): boolean {
  return rights.schema === schema && rights.table === table;
}

function isOpen({ subscription }: SubscriptionEntry): boolean {
  return !subscription.isClosed;
}
