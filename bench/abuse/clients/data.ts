/** Data operations: reads rows, inserts a row, and calls a function. */
import type { SendRequest } from './http-client.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

/** Returns operations on the tables of ../instance/schema.ts. */
export function dataOperations({ anonKey }: ClientsInput, send: SendRequest): Operation[] {
  const headersOf = ({ accessToken }: Person) => ({
    apikey: anonKey,
    authorization: `Bearer ${accessToken}`,
  });
  const read = (person: Person) =>
    send({
      address: person.address,
      path: '/rest/v1/abuse_items?select=id,title&order=id.desc&limit=20',
      headers: headersOf(person),
    });
  const insert = (person: Person) =>
    send({
      address: person.address,
      path: '/rest/v1/abuse_items',
      headers: { ...headersOf(person), prefer: 'return=minimal' },
      body: { title: 'an item' },
      expects: [201],
    });
  const call = (person: Person) =>
    send({
      address: person.address,
      path: '/rest/v1/rpc/abuse_sum',
      headers: headersOf(person),
      body: { a: 1, b: 2 },
    });
  return [
    { service: 'data', name: 'read', perSecond: 3, run: read },
    { service: 'data', name: 'insert', perSecond: 1.5, run: insert },
    { service: 'data', name: 'call', perSecond: 1.5, run: call },
  ];
}
