import { expect, it } from 'vitest';
import { PreparedStatements, statementKey } from './prepared.ts';

it('tells one text of two scopes apart', () => {
  expect(statementKey('anon', 'select 1')).not.toBe(statementKey('authenticated', 'select 1'));
});

it('forgets what has not been used for the longest time, and says so once', () => {
  const prepared = new PreparedStatements(2);
  prepared.add('a', 'g1');
  prepared.add('b', 'g2');
  expect(prepared.find('a')).toBe('g1');
  prepared.add('c', 'g3');
  expect(prepared.find('b')).toBeUndefined();
  expect(prepared.find('a')).toBe('g1');
  expect(prepared.takeUnwanted()).toEqual(['g2']);
  expect(prepared.takeUnwanted()).toEqual([]);
});

it('keeps fewer of those that are long', () => {
  const prepared = new PreparedStatements(10, 10);
  prepared.add('aaaa', 'g1');
  prepared.add('bbbb', 'g2');
  prepared.add('cc', 'g3');
  expect(prepared.takeUnwanted()).toEqual([]);
  prepared.remove('cc');
  prepared.add('dddd', 'g4');
  expect(prepared.takeUnwanted()).toEqual(['g3', 'g1']);
  prepared.add('longer than that', 'g5');
  expect(prepared.takeUnwanted()).toEqual(['g2', 'g4', 'g5']);
  expect(prepared.find('longer than that')).toBeUndefined();
  prepared.clear();
  prepared.add('ten chars.', 'g6');
  expect(prepared.find('ten chars.')).toBe('g6');
});

it('never gives one name twice', () => {
  const prepared = new PreparedStatements();
  const name = prepared.newName();
  prepared.add('a', name);
  prepared.clear();
  expect(prepared.newName()).not.toBe(name);
});
