/**
 * Deliveries to many members, in slices: a message to ten thousand sockets, or a large one to a hundred, would block the
 * event loop. Messages of one topic keep their order, and topics take turns.
 */

/** A message of more bytes counts once for each time that it fills this many: sending it takes as much longer. */
const UNIT_BYTES = 16_384;
/** Units of one slice, a few milliseconds' worth. */
const SLICE_UNITS = 1000;

/** Cost of a message to so many members: one, and for each of them as much as its size asks. */
export function deliveryCost(members: number, bytes: number): number {
  return 1 + members * unitsOf(bytes);
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / UNIT_BYTES));
}

/** One message on its way to the members that its topic had when it was sent. */
interface Delivery<Member> {
  members: readonly Member[];
  next: number;
  units: number;
  send: (member: Member) => void;
}

/** Deliveries of one topic. */
export class DeliveryQueue<Member> {
  readonly #members: ReadonlySet<Member>;
  readonly #scheduler: DeliveryScheduler;
  readonly #waiting: Delivery<Member>[] = [];

  /** @param members of the topic; one that has left receives nothing more */
  constructor(members: ReadonlySet<Member>, scheduler: DeliveryScheduler) {
    this.#members = members;
    this.#scheduler = scheduler;
  }

  /** Delivers now where that is one slice at most and nothing waits, and in slices after all that waits otherwise. */
  deliver(bytes: number, send: (member: Member) => void): void {
    const units = unitsOf(bytes);
    if (this.#waiting.length === 0 && this.#members.size * units <= SLICE_UNITS) {
      for (const member of this.#members) send(member);
      return;
    }
    this.#waiting.push({ members: [...this.#members], next: 0, units, send });
    this.#scheduler.add(this);
  }

  /** Delivers one slice and returns whether more waits. */
  runSlice(): boolean {
    let left = SLICE_UNITS;
    while (left > 0) {
      const [first] = this.#waiting;
      if (first === undefined) return false;
      left -= this.#deliverSome(first, left);
      if (first.next === first.members.length) this.#waiting.shift();
    }
    return this.#waiting.length > 0;
  }

  /** Returns the units that it used. */
  #deliverSome(delivery: Delivery<Member>, units: number): number {
    const { members, send } = delivery;
    let used = 0;
    while (delivery.next < members.length && used < units) {
      const member = members[delivery.next] as Member;
      delivery.next += 1;
      used += delivery.units;
      if (this.#members.has(member)) send(member);
    }
    return used;
  }
}

/** Gives topics their turns: one slice of one topic in each turn of the event loop. */
export class DeliveryScheduler {
  readonly #queues = new Set<Pick<DeliveryQueue<never>, 'runSlice'>>();
  #isScheduled = false;

  add(queue: Pick<DeliveryQueue<never>, 'runSlice'>): void {
    this.#queues.add(queue);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queues.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const [first] = this.#queues;
    if (first === undefined) return;
    this.#queues.delete(first);
    if (first.runSlice()) this.#queues.add(first);
    this.#schedule();
  }
}
