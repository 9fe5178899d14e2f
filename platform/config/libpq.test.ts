import { describe, expect, it } from 'vitest';
import { parseConnectionString, withLibpqVariables } from './libpq.ts';

describe('a connection string', () => {
  it.each([
    ['postgresql://', 'postgresql://'],
    ['postgres://u:p%20q@h:1/d?sslmode=require', 'postgres://u:p%20q@h:1/d?sslmode=require'],
    [
      'host=localhost port=5433 user=authenticator password=mysecretpassword dbname=postgres',
      'postgresql://authenticator:mysecretpassword@localhost:5433/postgres',
    ],
    // Two quotes end a value, so the rest is not a pair.
    [`host = 'db.example' user='a b' password='it''s' `, undefined],
    ["user=a password=it's dbname=d", "postgresql://a:it's@localhost/d"],
    ["host='' port=5433 user=u password=pw dbname=d", 'postgresql://u:pw@localhost:5433/d'],
    ['dbname=app$prod:a@b,c user=u', 'postgresql://u@localhost/app$prod:a@b,c'],
    ['dbname=a?b#c', 'postgresql://localhost/a%3Fb%23c'],
    ['host=db.example hostaddr=127.0.0.1 dbname=d', 'postgresql://127.0.0.1/d'],
    ['host=h port=999999', undefined],
    ['host=h port=5433x', undefined],
    ["host='my host' dbname=d", undefined],
    [
      String.raw`user=a\ b password='it\'s +/@ \\' dbname='my shop' sslmode=require`,
      "postgresql://a%20b:it's%20%2B%2F%40%20%5C@localhost/my%20shop?sslmode=require",
    ],
    ['host=::1 dbname=d', 'postgresql://[::1]/d'],
    ['host=/var/run/postgresql user=u', 'postgresql://u@localhost/u?host=%2Fvar%2Frun%2Fpostgresql'],
    ["dbname=d options='-c search_path=a'", 'postgresql://localhost/d?options=-c%20search_path%3Da'],
    ['', undefined],
    ['shop', undefined],
    ['colour=red', undefined],
    ["user='open", undefined],
    ['mysql://h/d', undefined],
  ])('%j is parsed as %j', (text, url) => {
    expect(parseConnectionString(text)).toBe(url);
  });
});

describe('variables of libpq', () => {
  const ALL = { PGHOST: 'h', PGPORT: '5433', PGUSER: 'u', PGPASSWORD: 'a b', PGDATABASE: 'd' };

  it.each<[string | undefined, Record<string, string>, string | undefined]>([
    [undefined, {}, undefined],
    [undefined, { PGPASSWORD: 'x', PGSSLMODE: 'require' }, undefined],
    [undefined, ALL, 'postgresql://u:a%20b@h:5433/d'],
    [undefined, { PGUSER: 'u' }, 'postgresql://u@localhost/u'],
    ['postgresql://', ALL, 'postgresql://u:a%20b@h:5433/d'],
    ['postgresql://own@own/own', { ...ALL, PGPORT: '' }, 'postgresql://own:a%20b@own/own'],
    ['postgresql://a:b@c:1/e', ALL, 'postgresql://a:b@c:1/e'],
    ['postgresql://a:b@c:1/e?x=1', { PGSSLMODE: 'require' }, 'postgresql://a:b@c:1/e?x=1&sslmode=require'],
    ['postgresql://%2Ftmp/e', { PGUSER: 'u' }, 'postgresql://u@localhost/e?host=%2Ftmp'],
    ['postgresql:///e?host=/tmp', { PGHOST: 'h', PGUSER: 'u' }, 'postgresql://u@localhost/e?host=%2Ftmp'],
    ['mysql://h/d', ALL, 'mysql://h/d'],
    // Nothing to add, so the URL stays unchanged.
    ['postgresql://u:100%@h/db', {}, 'postgresql://u:100%@h/db'],
    ['postgresql://u:100%@h/db', { PGPORT: '1' }, 'postgresql://u:100%25@h:1/db'],
    ['postgresql://u@h/a@b', { PGPASSWORD: 'p' }, 'postgresql://u:p@h/a@b'],
    // Certificates do not imply TLS.
    ['postgresql://u@h/d', { PGSSLMODE: 'allow' }, 'postgresql://u@h/d'],
    ['postgresql://u@h/d', { PGSSLROOTCERT: '/c' }, 'postgresql://u@h/d'],
    [
      'postgresql://u@h/d',
      { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/c' },
      'postgresql://u@h/d?sslmode=verify-full&sslrootcert=%2Fc',
    ],
  ])('complete %j with %j', (url, source, complete) => {
    expect(withLibpqVariables(url, source)).toBe(complete);
  });
});
