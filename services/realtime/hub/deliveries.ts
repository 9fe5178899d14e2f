/**
 * Deliveries to many members, in slices: a message to ten thousand sockets, or a large one to a hundred, would block the
 * event loop. Messages of one topic keep their order, and topics take turns.
 */

/** A message of more bytes counts once for each time that it fills this many: sending it takes as much longer. */
const UNIT_BYTES = 16_384;
/** Units of one turn of the event loop, for all topics together: ten milliseconds or so. */
const TURN_UNITS = 250;

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

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Delivers now where this turn has room for all of it and nothing waits; in slices, after all that waits, otherwise. */
  deliver(bytes: number, send: (member: Member) => void): void {
    const units = unitsOf(bytes);
    if (this.isEmpty && this.#scheduler.spend(this.#members.size * units)) {
      for (const member of this.#members) send(member);
      return;
    }
    this.#waiting.push({ members: [...this.#members], next: 0, units, send });
    this.#scheduler.add(this);
  }

  /** Delivers to members until about `units` are used. Returns the units that it used. */
  runSlice(units: number): number {
    let used = 0;
    for (let [first] = this.#waiting; first !== undefined && used < units; [first] = this.#waiting) {
      used += this.#deliverSome(first, units - used);
      if (first.next === first.members.length) this.#waiting.shift();
    }
    return used;
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

type Queue = Pick<DeliveryQueue<never>, 'runSlice' | 'isEmpty'>;

/** Shares the turns of the event loop between topics. */
export class DeliveryScheduler {
  readonly #queues = new Set<Queue>();
  #left = TURN_UNITS;
  #isScheduled = false;

  /**
   * Spends units of this turn; false, and nothing spent, where it has not so many left. They are filled again once half of
   * them are used: a refill in every turn would cost more than a delivery does.
   */
  spend(units: number): boolean {
    if (units > this.#left) {
      this.#schedule();
      return false;
    }
    this.#left -= units;
    if (this.#left < TURN_UNITS / 2) this.#schedule();
    return true;
  }

  /** Serves a queue until it is empty, in turns with others. */
  add(queue: Queue): void {
    this.#queues.add(queue);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    this.#left = TURN_UNITS;
    const share = Math.ceil(TURN_UNITS / Math.max(1, this.#queues.size));
    for (const queue of [...this.#queues]) {
      if (this.#left <= 0) break;
      this.#queues.delete(queue);
      this.#left -= queue.runSlice(Math.min(share, this.#left));
      if (!queue.isEmpty) this.#queues.add(queue);
    }
    if (this.#queues.size > 0) this.#schedule();
  }
}
