/**
 * The clock of a test instance: replaces `Date` in this process, so that it must be loaded before the modules that keep a
 * reference to it. Timers and `performance.now()` keep the real time.
 */

const RealDate = Date;
const realNow = Date.now;

let offsetMs = 0;

/** Moves the clock. @param ms difference to the real time; negative values are in the past */
export function moveClock(ms: number): void {
  offsetMs = ms;
}

const movedNow = () => realNow() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [movedNow()] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name) => (name === 'now' ? movedNow : Reflect.get(target, name)),
});
// Some packages compare the constructor of a value with Date.
Object.defineProperty(RealDate.prototype, 'constructor', { value: Date, configurable: true, writable: true });
