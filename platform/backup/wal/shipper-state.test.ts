import { describe, expect, it } from 'vitest';
import { type ShipperEvent, type ShipperState, shipperTransition } from './shipper-state.ts';

const reason = new Error('of the test');
const EVENTS: Readonly<Record<ShipperEvent['type'], ShipperEvent>> = {
  streaming: { type: 'streaming' },
  lost: { type: 'lost', reason },
  stop: { type: 'stop', reason },
  full: { type: 'full' },
  drained: { type: 'drained' },
  'put-failed': { type: 'put-failed', reason },
  'put-done': { type: 'put-done' },
  close: { type: 'close' },
};

type Connection = ShipperState['connection'];
type ConnectionRow = readonly [
  state: Connection,
  event: ShipperEvent['type'],
  next: Connection,
  ...effects: string[],
];
const CONNECTIONS: readonly ConnectionRow[] = [
  ['connecting', 'streaming', 'streaming', 'report-streaming'],
  ['connecting', 'lost', 'connecting', 'report-lost'],
  ['connecting', 'stop', 'stopped', 'disconnect', 'report-stopped'],
  ['connecting', 'full', 'suspended', 'disconnect'],
  ['connecting', 'drained', 'connecting'],
  ['connecting', 'close', 'closed', 'close-stream'],
  ['streaming', 'streaming', 'streaming'],
  ['streaming', 'lost', 'connecting', 'report-lost'],
  ['streaming', 'stop', 'stopped', 'disconnect', 'report-stopped'],
  ['streaming', 'full', 'suspended', 'disconnect'],
  ['streaming', 'drained', 'streaming'],
  ['streaming', 'close', 'closed', 'close-stream'],
  ['suspended', 'streaming', 'suspended'],
  ['suspended', 'lost', 'suspended'],
  ['suspended', 'stop', 'suspended'],
  ['suspended', 'full', 'suspended'],
  ['suspended', 'drained', 'connecting', 'connect'],
  ['suspended', 'close', 'closed', 'close-stream'],
  ['stopped', 'streaming', 'stopped'],
  ['stopped', 'lost', 'stopped'],
  ['stopped', 'stop', 'stopped'],
  ['stopped', 'full', 'stopped'],
  ['stopped', 'drained', 'stopped'],
  ['stopped', 'close', 'closed', 'close-stream'],
  ['closed', 'streaming', 'closed'],
  ['closed', 'lost', 'closed'],
  ['closed', 'stop', 'closed'],
  ['closed', 'full', 'closed'],
  ['closed', 'drained', 'closed'],
  ['closed', 'close', 'closed'],
];

describe('the life cycle of a log shipper', () => {
  it.for(CONNECTIONS)('%s, %s: the connection is %s then', ([connection, event, next, ...effects]) => {
    for (const archive of ['reachable', 'away'] as const) {
      const result = shipperTransition({ connection, archive }, EVENTS[event]);
      expect(result.next).toEqual({ connection: next, archive });
      expect(result.effects.map(({ type }) => type)).toEqual(effects);
    }
  });

  it.for([
    ['reachable', 'put-failed', 'away', 'report-away'],
    ['reachable', 'put-done', 'reachable'],
    ['away', 'put-failed', 'away'],
    ['away', 'put-done', 'reachable', 'report-reachable'],
  ] as const)('%s, %s: the archive is %s then', ([archive, event, next, ...effects]) => {
    for (const connection of ['connecting', 'streaming', 'suspended', 'stopped'] as const) {
      const result = shipperTransition({ connection, archive }, EVENTS[event]);
      expect(result.next).toEqual({ connection, archive: next });
      expect(result.effects.map(({ type }) => type)).toEqual(effects);
    }
  });

  it('ignores writes to the archive after it is closed', () => {
    for (const event of ['put-failed', 'put-done'] as const)
      expect(
        shipperTransition({ connection: 'closed', archive: 'reachable' }, EVENTS[event]).effects,
      ).toEqual([]);
  });
});
