import { describe, expect, it } from 'vitest';
import { createHostLimits } from './host-limits.ts';

describe('the limits of hosts', () => {
  it('give a host half of the requests, and leave the rest to others', () => {
    const limits = createHostLimits(4);
    limits.started('a');
    expect(limits.room()).toEqual({ full: [], rooms: { a: 1 }, otherRoom: 2 });
    limits.started('a');
    expect(limits.room()).toEqual({ full: ['a'], rooms: { a: 0 }, otherRoom: 2 });
    limits.ended('a');
    limits.ended('a');
    expect(limits.room()).toEqual({ full: [], rooms: {}, otherRoom: 2 });
  });

  it('give a host a tenth after an attempt without a response, until it responds', () => {
    const limits = createHostLimits(50);
    limits.report('a', false);
    expect(limits.room().rooms).toEqual({ a: 5 });
    limits.report('a', true);
    expect(limits.room().rooms).toEqual({});
  });

  it('give each host at least one request', () => {
    const limits = createHostLimits(1);
    limits.report('a', false);
    expect(limits.room()).toEqual({ full: [], rooms: { a: 1 }, otherRoom: 1 });
  });

  it('remember the newest failing hosts', () => {
    const limits = createHostLimits(50);
    for (let number = 0; number < 1100; number += 1) limits.report(`host-${number}`, false);
    const hosts = Object.keys(limits.room().rooms);
    expect(hosts).toHaveLength(1000);
    expect(hosts).not.toContain('host-0');
    expect(hosts).toContain('host-1099');
  });
});
