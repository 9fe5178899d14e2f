/** Requests to the data API, each with the parameter values of its statement. */

/** Rows of the large table. */
const ITEMS = 1_000_000;
const ORDERS = 1000;
const BULK = 1000;

/** A kind of request that clients send. */
export interface Scenario {
  name: string;
  method: 'GET' | 'POST';
  /** Target below the prefix, of the i-th request. */
  target(i: number): string;
  /** JSON text. */
  body?(i: number): string;
  /** Values of the statement's parameters, in their order. */
  values(i: number): unknown[];
  /** Target rate with one connection, as a share of the rate of the statement alone. */
  target1?: number;
  /** Target rate with 64 connections, as a share of the rate of the statement alone. */
  target64?: number;
  /** Target of p99 with 64 connections, as a multiple of p50. */
  tailTarget64?: number;
}

/** Spreads consecutive requests over distant rows. */
function distribute(i: number, count: number): number {
  return ((i * 7919) % count) + 1;
}

/** Created once, because creating them for each request would cost the load more than the server. */
const BULKS = Array.from({ length: 16 }, (_, i) =>
  JSON.stringify(Array.from({ length: BULK }, (_, n) => ({ name: `row ${i} ${n}`, amount: n }))),
);
const bulk = (i: number) => BULKS[i % BULKS.length] ?? '';
const one = (i: number) => JSON.stringify({ name: `row ${i}`, amount: i });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a row by its key',
    method: 'GET',
    target: (i) => `/items?id=eq.${distribute(i, ITEMS)}&select=id,name,price`,
    values: (i) => [distribute(i, ITEMS)],
    target1: 0.55,
    target64: 0.55,
    tailTarget64: 2,
  },
  {
    name: 'an embed of three levels',
    method: 'GET',
    target: (i) =>
      `/orders?id=eq.${distribute(i, ORDERS)}&select=id,customers(name),lines(amount,items(name,makers(name)))`,
    values: (i) => [distribute(i, ORDERS)],
    target64: 0.75,
  },
  {
    name: 'a function',
    method: 'POST',
    target: () => '/rpc/price_of',
    body: (i) => `{"item":${distribute(i, ITEMS)}}`,
    values: (i) => [`{"item":${distribute(i, ITEMS)}}`],
    target1: 0.55,
    target64: 0.55,
    tailTarget64: 2,
  },
  {
    name: 'an insert',
    method: 'POST',
    target: () => '/entries',
    body: one,
    values: (i) => [one(i)],
    target64: 0.55,
    tailTarget64: 2,
  },
  {
    name: `an insert of ${BULK} rows`,
    method: 'POST',
    target: () => '/entries',
    body: bulk,
    values: (i) => [bulk(i)],
  },
  {
    name: 'a read of 10,000 rows',
    method: 'GET',
    target: (i) => `/items?id=gt.${distribute(i, ITEMS - 10_000)}&select=id,name,price&order=id&limit=10000`,
    values: (i) => [distribute(i, ITEMS - 10_000), 10_000],
    target64: 0.85,
  },
];

/** The tables, rows and functions of the scenarios. */
export const SCHEMA = [
  'create table makers (id int primary key, name text not null)',
  'create table items (id int primary key, name text not null, price numeric not null, maker_id int not null references makers)',
  'create table customers (id int primary key, name text not null)',
  'create table orders (id int primary key, customer_id int not null references customers)',
  'create table lines (order_id int not null references orders, item_id int not null references items, amount int not null, primary key (order_id, item_id))',
  'create table entries (id bigint generated always as identity primary key, name text not null, amount int not null)',
  "insert into makers select i, 'maker ' || i from generate_series(1, 100) as i",
  `insert into items select i, 'item ' || i, i * 1.5, i % 100 + 1 from generate_series(1, ${ITEMS}) as i`,
  "insert into customers select i, 'customer ' || i from generate_series(1, 100) as i",
  `insert into orders select i, i % 100 + 1 from generate_series(1, ${ORDERS}) as i`,
  `insert into lines select i, (i * 31 + n * 997) % ${ITEMS} + 1, n from generate_series(1, ${ORDERS}) as i, generate_series(1, 10) as n`,
  'create function price_of(item int) returns numeric language sql stable as $$ select price from items where id = item $$',
  'grant all on all tables in schema public to anon, authenticated, service_role',
  'vacuum analyze',
];
