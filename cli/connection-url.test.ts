import { expect, it } from 'vitest';
import { databaseUrl, withoutPassword } from './connection-url.ts';

it.each(['localhost', '', 'http://ada:secret@a', 'postgresql:ada', 'postgres://ada@a:port/b'])(
  'rejects %j as a connection URL without repeating it',
  (text) => {
    const message =
      '--db-url requires a connection URL, e.g. postgresql://postgres:<password>@<host>:5432/postgres';
    expect(() => databaseUrl('--db-url', text)).toThrow(new Error(message));
  },
);

it.each([
  ['postgresql://ada:secret@db:5432/product', 'postgresql://ada@db:5432/product'],
  ['postgresql://db/product?user=ada&password=secret', 'postgresql://db/product?user=ada'],
  ['postgresql://ada@db/product?sslpassword=secret', 'postgresql://ada@db/product'],
  ['postgresql://ada:secret@db/product?password=secret&password=secret', 'postgresql://ada@db/product'],
  ['postgresql://ada:secret@db/product?sslmode=require', 'postgresql://ada@db/product?sslmode=require'],
  ['postgresql://ada@db/product?options=-c%20x=y', 'postgresql://ada@db/product?options=-c%20x=y'],
])('shows %s as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
