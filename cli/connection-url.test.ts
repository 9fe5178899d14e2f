import { expect, it } from 'vitest';
import { withoutPassword } from './connection-url.ts';

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
