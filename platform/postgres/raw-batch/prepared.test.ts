import { expect, it } from 'vitest';
import { PreparedStatements } from './prepared.ts';

const key = (text: string, scope = '') => ({ scope, text });

it('distinguishes scopes of one text', () => {
  const prepared = new PreparedStatements(3);
  prepared.add(key('select 1', 'anon'), 'g1');
  expect(prepared.find(key('select 1', 'authenticated'))).toBeUndefined();
  prepared.add(key('select 1', 'authenticated'), 'g2');
  expect(prepared.find(key('select 1', 'anon'))).toBe('g1');
  prepared.remove(key('select 1', 'anon'));
  expect(prepared.find(key('select 1', 'anon'))).toBeUndefined();
  expect(prepared.find(key('select 1', 'authenticated'))).toBe('g2');
  expect(prepared.takeObsolete()).toEqual(['g1']);
});

it('removes statements that were prepared for an older schema', () => {
  const prepared = new PreparedStatements(3);
  prepared.useGeneration(1);
  prepared.add(key('a', 'anon'), 'g1');
  prepared.add(key('a', 'authenticated'), 'g2');
  prepared.add(key('b'), 'g3');
  prepared.remove(key('b'));
  prepared.useGeneration(1);
  expect(prepared.find(key('a', 'anon'))).toBe('g1');
  prepared.useGeneration(2);
  expect(prepared.find(key('a', 'anon'))).toBeUndefined();
  prepared.add(key('a', 'anon'), 'g4');
  // A statement that was planned before may still arrive.
  prepared.useGeneration(1);
  expect(prepared.find(key('a', 'anon'))).toBe('g4');
  expect(prepared.takeObsolete()).toEqual(['g3', 'g1', 'g2']);
});

it('removes the first scope of the oldest text first', () => {
  const prepared = new PreparedStatements(3);
  prepared.add(key('a', 'anon'), 'g1');
  prepared.add(key('b', 'anon'), 'g2');
  prepared.add(key('b', 'authenticated'), 'g3');
  expect(prepared.find(key('a', 'anon'))).toBe('g1');
  prepared.add(key('c', 'anon'), 'g4');
  expect(prepared.takeObsolete()).toEqual(['g2']);
  expect(prepared.find(key('b', 'authenticated'))).toBe('g3');
});

it('keeps the last added statement, even if one text has more scopes than the limit', () => {
  const prepared = new PreparedStatements(2);
  for (const scope of ['anon', 'authenticated', 'service_role'])
    prepared.add(key('a', scope), `g of ${scope}`);
  expect(prepared.find(key('a', 'service_role'))).toBe('g of service_role');
  expect(prepared.takeObsolete()).toEqual(['g of anon']);
});

it('removes the least recently used statement, and reports it once', () => {
  const prepared = new PreparedStatements(2);
  prepared.add(key('a'), 'g1');
  prepared.add(key('b'), 'g2');
  expect(prepared.find(key('a'))).toBe('g1');
  prepared.add(key('c'), 'g3');
  expect(prepared.find(key('b'))).toBeUndefined();
  expect(prepared.find(key('a'))).toBe('g1');
  expect(prepared.takeObsolete()).toEqual(['g2']);
  expect(prepared.takeObsolete()).toEqual([]);
});

it('keeps fewer statements if they are long', () => {
  const prepared = new PreparedStatements(10, 10);
  prepared.add(key('aaaa'), 'g1');
  prepared.add(key('bbbb'), 'g2');
  prepared.add(key('cc'), 'g3');
  expect(prepared.takeObsolete()).toEqual([]);
  prepared.remove(key('cc'));
  prepared.add(key('dddd'), 'g4');
  expect(prepared.takeObsolete()).toEqual(['g3', 'g1']);
  prepared.add(key('longer than that'), 'g5');
  expect(prepared.takeObsolete()).toEqual(['g2', 'g4', 'g5']);
  expect(prepared.find(key('longer than that'))).toBeUndefined();
  prepared.clear();
  prepared.add(key('ten chars.'), 'g6');
  expect(prepared.find(key('ten chars.'))).toBe('g6');
});

it('does not return a name twice', () => {
  const prepared = new PreparedStatements();
  const name = prepared.newName();
  prepared.add(key('a'), name);
  prepared.clear();
  expect(prepared.newName()).not.toBe(name);
});
