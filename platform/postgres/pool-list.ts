/** The open pools of an instance, for metrics. */

/** Connections of one pool, or of several pools of the same name. */
export interface PoolUsage {
  /** `application_name` of the connections, without the prefix `greenroom`. */
  name: string;
  /** Maximum number of connections. */
  max: number;
  /** Open connections. */
  open: number;
  /** Connections in use. */
  used: number;
  /** Callers that wait for a connection, or for the permit to keep one busy. */
  waiting: number;
}

/** The list of the open pools. */
export interface PoolList {
  /** Adds a pool. The returned function removes it. */
  add(usage: () => PoolUsage): () => void;
  /** Returns the usage of all pools; pools of the same name are added up. */
  usage(): PoolUsage[];
}

/** Creates an empty list. */
export function createPoolList(): PoolList {
  const pools = new Set<() => PoolUsage>();
  return {
    add(usage) {
      pools.add(usage);
      return () => void pools.delete(usage);
    },
    usage() {
      const all = Array.from(pools, (usage) => usage());
      return Array.from(Map.groupBy(all, ({ name }) => name).values(), (group) => group.reduce(sum));
    },
  };
}

/** Returns the name of a pool in metrics: `auth` for `greenroom auth`, `instance` for `greenroom`. */
export function poolNameOf(applicationName: string): string {
  if (applicationName === 'greenroom') return 'instance';
  return applicationName.replace(/^greenroom /, '').replaceAll(/[^a-z]+/g, '_');
}

function sum(one: PoolUsage, other: PoolUsage): PoolUsage {
  return {
    name: one.name,
    max: one.max + other.max,
    open: one.open + other.open,
    used: one.used + other.used,
    waiting: one.waiting + other.waiting,
  };
}
