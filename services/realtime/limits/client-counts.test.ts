import { clientKeys } from '@greenroom/limits';
import { describe, expect, it } from 'vitest';
import { ClientCounts } from './client-counts.ts';

const times = (count: number, take: () => unknown) => Array.from({ length: count }, take);

describe('ClientCounts', () => {
  it('rejects a count above the limit of a client until some is released', () => {
    const counts = new ClientCounts({ perClient: 2, total: 10 });
    expect(times(3, () => counts.take(['a']))).toEqual([undefined, undefined, 'client']);
    expect(counts.take(['b'], 2)).toBeUndefined();
    counts.release(['a']);
    expect([counts.take(['a']), counts.total]).toEqual([undefined, 4]);
  });

  it('gives a /64 network half of the limit of its /48 network', () => {
    const counts = new ClientCounts({ perClient: 8, total: 100 });
    const from = (address: string) => () => counts.take(clientKeys({ address }));
    expect(times(5, from('2001:db8:1:1::1')).filter((each) => each === undefined)).toHaveLength(4);
    expect(times(5, from('2001:db8:1:2::1')).filter((each) => each === undefined)).toHaveLength(2);
    expect(times(5, from('2001:db8:1:ff02::1')).filter((each) => each === undefined)).toHaveLength(2);
  });

  it('rejects the largest client after the total is reached, and no client below its fair share', () => {
    const counts = new ClientCounts({ perClient: 100, total: 10 });
    expect(counts.take(['many'], 10)).toBeUndefined();
    expect(counts.take(['few'], 4)).toBeUndefined();
    expect(counts.take(['many'])).toBe('total');
    expect([counts.take(['few']), counts.take(['few'])]).toEqual([undefined, 'total']);
  });

  it('applies only the total to clients without keys', () => {
    const counts = new ClientCounts({ perClient: 1, total: 2 });
    expect(times(3, () => counts.take([]))).toEqual([undefined, undefined, 'total']);
  });

  it('moves counts to other keys if their limit is not exceeded', () => {
    const counts = new ClientCounts({ perClient: 2, total: 10 });
    counts.take(['a'], 2);
    expect(counts.move(['a'], ['b'], 2)).toBe(true);
    expect([counts.countOf(['a']), counts.countOf(['b']), counts.total]).toEqual([0, 2, 2]);
    counts.take(['a']);
    expect(counts.move(['a'], ['b'], 1)).toBe(false);
    expect([counts.countOf(['a']), counts.countOf(['b'])]).toEqual([1, 2]);
  });

  it('returns the largest client, and removes clients without counts', () => {
    const counts = new ClientCounts({ perClient: 10, total: 100 });
    const wide = clientKeys({ address: '2001:db8::1' });
    counts.take(wide, 3);
    counts.take(['b'], 2);
    expect(counts.largest()).toEqual({ key: wide[0], count: 3 });
    counts.release(wide, 3);
    counts.release(['b'], 2);
    expect([counts.largest(), counts.size]).toEqual([undefined, 0]);
  });
});
