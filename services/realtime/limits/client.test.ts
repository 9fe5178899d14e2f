import { loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { realtimeSettings } from '../settings.ts';
import { SocketClient } from './client.ts';
import { ClientIdentities } from './client-identities.ts';
import { createLimits } from './limits.ts';
import { RollingAverage } from './rolling-average.ts';
import { SocketMemory } from './socket-memory.ts';

function limitsOf(settings: Record<string, string> = {}) {
  const average = () => new RollingAverage();
  const rates = { joins: average(), events: average(), presence: average(), dbEvents: average() };
  return createLimits(loadSettings(realtimeSettings, settings), rates);
}

describe('SocketClient', () => {
  const ADDRESS = { address: '203.0.113.7', isCounted: true, subject: '' };

  it('counts against its address, and with all its resources against its first account', () => {
    const limits = limitsOf();
    const client = new SocketClient({ limits, ...ADDRESS });
    client.take(limits.channels, 3);
    expect(client.keys).toEqual(['net:203.0.113.7']);
    client.signIn('');
    client.signIn('ada');
    client.signIn('bob');
    expect(client.keys).toEqual(['user:ada']);
    expect([limits.channels.countOf(['net:203.0.113.7']), limits.channels.countOf(['user:ada'])]).toEqual([
      0, 3,
    ]);
    client.close();
    client.release(limits.channels);
    expect([limits.channels.total, limits.channels.size]).toEqual([0, 0]);
  });

  it('counts against its address if the limits of the account do not suffice', () => {
    const limits = limitsOf({ GREENROOM_REALTIME_PER_CLIENT_CHANNELS: '3' });
    const [first, second] = [1, 2].map(() => new SocketClient({ limits, ...ADDRESS }));
    first?.take(limits.channels, 2);
    first?.take(limits.sockets);
    first?.signIn('ada');
    second?.take(limits.sockets);
    second?.take(limits.channels, 2);
    second?.signIn('ada');
    expect([first?.keys, second?.keys]).toEqual([['user:ada'], ['net:203.0.113.7']]);
    expect([limits.sockets.countOf(['user:ada']), limits.channels.countOf(['user:ada'])]).toEqual([1, 2]);
  });

  it('has no keys if limits per client do not apply', () => {
    const client = new SocketClient({ limits: limitsOf(), ...ADDRESS, isCounted: false });
    client.signIn('ada');
    expect(client.keys).toEqual([]);
  });
});

describe('SocketMemory', () => {
  it('counts the bytes of all sockets of a client together, without small amounts', () => {
    const limits = limitsOf({ GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB: '200' });
    const client = () => new SocketClient({ limits, address: '203.0.113.7', isCounted: true, subject: '' });
    const [one, two] = [new SocketMemory(client()), new SocketMemory(client())];
    expect([one.setIncoming(60_000), one.setOutgoing(100_000), two.setIncoming(90_000)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(two.setIncoming(150_000)).toBe(false);
    expect(one.setOutgoing(0)).toBe(true);
    expect(two.setIncoming(150_000)).toBe(true);
    expect(limits.bufferedBytes.total).toBe(150_000);
  });
});

describe('ClientIdentities', () => {
  it('counts each identity once per client, and distinct ones in total', () => {
    const identities = new ClientIdentities({ perClient: 2, total: 3 });
    expect(['x', 'x', 'y', 'z'].map((identity) => identities.take(['a'], identity))).toEqual([
      undefined,
      undefined,
      undefined,
      'client',
    ]);
    expect([identities.take(['b'], 'x'), identities.take(['b'], 'v'), identities.total]).toEqual([
      undefined,
      undefined,
      3,
    ]);
    for (const identity of ['x', 'x', 'y']) identities.release(['a'], identity);
    expect(identities.total).toBe(2);
    expect(identities.take(['a'], 'z')).toBeUndefined();
  });

  it('permits one identity per client even after the total is reached', () => {
    const identities = new ClientIdentities({ perClient: 10, total: 1 });
    expect([
      identities.take(['a'], 'x'),
      identities.take(['a'], 'y'),
      identities.take(['b'], 'z'),
      identities.take(['b'], 'v'),
      identities.take([], 'w'),
    ]).toEqual([undefined, 'total', undefined, 'total', 'total']);
  });
});
