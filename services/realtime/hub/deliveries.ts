/**
 * Delivers messages to many members in slices: a message to ten thousand sockets, or a large message to a hundred
 * sockets, would otherwise block the event loop. Messages of one topic keep their order, and topics are served
 * round-robin.
 */

/**
 * A message costs one unit per member for each started block of this many bytes, in proportion to the time it takes.
 */
const UNIT_BYTES = 16_384;
/** Units that all topics together may use in one turn of the event loop: about ten milliseconds. */
const TURN_UNITS = 250;

/** Cost of a message in units: one for the message itself, and for each member one or more, depending on its size. */
export function deliveryCost(members: number, bytes: number): number {
  return 1 + members * unitsOf(bytes);
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / UNIT_BYTES));
}

/** A message that is being delivered to the members that the topic had when it was sent. */
interface Delivery<Member> {
  members: readonly Member[];
  next: number;
  units: number;
  send: (member: Member) => void;
}

/** The queue of messages of one topic. */
export class DeliveryQueue<Member> {
  readonly #members: ReadonlySet<Member>;
  readonly #scheduler: DeliveryScheduler;
  readonly #waiting: Delivery<Member>[] = [];

  /** @param members the live set of members: a member that has left receives no queued message */
  constructor(members: ReadonlySet<Member>, scheduler: DeliveryScheduler) {
    this.#members = members;
    this.#scheduler = scheduler;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Delivers at once if the queue is empty and the budget of this turn suffices. Otherwise queues the message. */
  deliver(bytes: number, send: (member: Member) => void): void {
    const units = unitsOf(bytes);
    if (this.isEmpty && this.#scheduler.spend(this.#members.size * units)) {
      for (const member of this.#members) send(member);
      return;
    }
    this.#waiting.push({ members: [...this.#members], next: 0, units, send });
    this.#scheduler.add(this);
  }

  /** Delivers queued messages until about `units` are used. Returns the number of used units. */
  runSlice(units: number): number {
    let used = 0;
    for (let [first] = this.#waiting; first !== undefined && used < units; [first] = this.#waiting) {
      used += this.#deliverSlice(first, units - used);
      if (first.next === first.members.length) this.#waiting.shift();
    }
    return used;
  }

  /** Delivers one message to its next members. Returns the number of used units. */
  #deliverSlice(delivery: Delivery<Member>, units: number): number {
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

/** Shares the budget of each turn of the event loop between topics. */
export class DeliveryScheduler {
  readonly #queues = new Set<Queue>();
  #left = TURN_UNITS;
  #isScheduled = false;

  /**
   * Spends units of this turn. Returns false and spends nothing if fewer units are left. The budget is refilled only
   * after half of it is used, because a refill in every turn would cost more than a delivery.
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

  /** Serves a queue round-robin with the others until it is empty. */
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
