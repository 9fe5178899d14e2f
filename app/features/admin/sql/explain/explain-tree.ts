/** The tree of a plan that `explain (format json)` returned, with the part of each node in its time and cost. */

/** A node of a plan. Times are in milliseconds and belong to all loops; they are undefined without `analyze`. */
export interface PlanNode {
  /** Position in the plan, such as `0.1`. */
  key: string;
  /** `Seq Scan`, `Hash Join`. */
  type: string;
  /** Table, index, function or subplan. */
  subject: string | undefined;
  /** Conditions and keys, in the words of PostgreSQL. */
  details: readonly { name: string; text: string }[];
  estimatedRows: number;
  actualRows: number | undefined;
  loops: number | undefined;
  totalCost: number;
  /** Cost without that of the children. */
  ownCost: number;
  totalMs: number | undefined;
  /** Time without that of the children. */
  ownMs: number | undefined;
  /** Part of the time of the plan, or of its cost without times: 0 to 1. */
  share: number;
  /** The mark of the node with the largest part of the whole, and of others with a large one. */
  mark: 'costliest' | 'costly' | undefined;
  /** How many times more (or less) rows came than estimated; undefined if the estimate was close. */
  misestimate: { factor: number; isMore: boolean } | undefined;
  removedRows: number | undefined;
  /** Pages read from disk or the cache of the system. */
  readBlocks: number | undefined;
  hitBlocks: number | undefined;
  isNeverExecuted: boolean;
  children: readonly PlanNode[];
}

/** A plan. */
export interface Plan {
  root: PlanNode;
  planningMs: number | undefined;
  executionMs: number | undefined;
  triggers: readonly { name: string; ms: number; calls: number }[];
}

type Raw = Readonly<Record<string, unknown>>;

/** A node is costly from this part of the whole. */
const COSTLY_SHARE = 0.3;
/** Estimates within this factor are close. */
const CLOSE_FACTOR = 10;
/** Fewer rows make no estimate worth a remark. */
const FEW_ROWS = 100;

const DETAILS = [
  'Join Type',
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'One-Time Filter',
  'Sort Key',
  'Sort Method',
  'Sort Space Used',
  'Presorted Key',
  'Group Key',
  'Strategy',
  'Cache Key',
  'Heap Fetches',
  'Hash Batches',
  'Workers Planned',
  'Workers Launched',
  'Output',
] as const;

/** Parses the JSON of a plan. Returns undefined for another text. */
export function parsePlan(json: string): Plan | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  const [first] = Array.isArray(parsed) ? (parsed as Raw[]) : [];
  const raw = first?.Plan as Raw | undefined;
  if (first === undefined || raw === undefined) return undefined;
  const root = nodeOf(raw, { key: '0', processes: 1 });
  return {
    root: withShares(root),
    planningMs: numberOf(first, 'Planning Time'),
    executionMs: numberOf(first, 'Execution Time'),
    triggers: ((first.Triggers as Raw[] | undefined) ?? []).map((trigger) => ({
      name: textOf(trigger, 'Trigger Name') ?? textOf(trigger, 'Constraint Name') ?? '',
      ms: numberOf(trigger, 'Time') ?? 0,
      calls: numberOf(trigger, 'Calls') ?? 0,
    })),
  };
}

/** Returns all nodes, in the order in which they are shown. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** @param place `processes`: number of processes that run the node at the same time */
function nodeOf(raw: Raw, { key, processes }: { key: string; processes: number }): PlanNode {
  const type = textOf(raw, 'Node Type') ?? '?';
  const workers = numberOf(raw, 'Workers Launched') ?? 0;
  const below = type.startsWith('Gather') ? workers + 1 : processes;
  const children = ((raw.Plans as Raw[] | undefined) ?? []).map((child, index) =>
    nodeOf(child, { key: `${key}.${index}`, processes: below }),
  );
  const loops = numberOf(raw, 'Actual Loops');
  // The time of a node is the average of its loops, and each process has its own loops.
  const totalMs = scaled(numberOf(raw, 'Actual Total Time'), (loops ?? 1) / Math.min(processes, loops || 1));
  const totalCost = numberOf(raw, 'Total Cost') ?? 0;
  const estimatedRows = numberOf(raw, 'Plan Rows') ?? 0;
  const actualRows = numberOf(raw, 'Actual Rows');
  return {
    key,
    type: typeOf(raw, type),
    subject: subjectOf(raw),
    details: detailsOf(raw),
    estimatedRows,
    actualRows,
    loops,
    totalCost,
    ownCost: Math.max(0, totalCost - sumOf(children, (child) => child.totalCost)),
    totalMs,
    ownMs:
      totalMs === undefined
        ? undefined
        : Math.max(0, totalMs - sumOf(children, (child) => child.totalMs ?? 0)),
    share: 0,
    mark: undefined,
    misestimate: loops ? misestimateOf(estimatedRows, actualRows) : undefined,
    removedRows: scaled(
      numberOf(raw, 'Rows Removed by Filter') ?? numberOf(raw, 'Rows Removed by Join Filter'),
      loops ?? 1,
    ),
    readBlocks: numberOf(raw, 'Shared Read Blocks'),
    hitBlocks: numberOf(raw, 'Shared Hit Blocks'),
    isNeverExecuted: loops === 0,
    children,
  };
}

function withShares(root: PlanNode): PlanNode {
  const weigh = (node: PlanNode) => node.ownMs ?? node.ownCost;
  const nodes = nodesOf(root);
  const whole = nodes.reduce((sum, node) => sum + weigh(node), 0);
  const costliest = nodes.reduce((most, node) => (weigh(node) > weigh(most) ? node : most), root);
  const markOf = (node: PlanNode, share: number) => {
    if (nodes.length === 1 || whole === 0) return undefined;
    if (node.key === costliest.key) return 'costliest';
    return share >= COSTLY_SHARE ? 'costly' : undefined;
  };
  const complete = (node: PlanNode): PlanNode => {
    const own = weigh(node);
    const share = whole === 0 ? 0 : own / whole;
    return { ...node, share, mark: markOf(node, share), children: node.children.map(complete) };
  };
  return complete(root);
}

function misestimateOf(estimated: number, actual: number | undefined): PlanNode['misestimate'] {
  if (actual === undefined || Math.max(estimated, actual) < FEW_ROWS) return undefined;
  const factor = Math.max(estimated, 1) / Math.max(actual, 1);
  if (factor < CLOSE_FACTOR && factor > 1 / CLOSE_FACTOR) return undefined;
  return factor < 1 ? { factor: 1 / factor, isMore: true } : { factor, isMore: false };
}

function typeOf(raw: Raw, type: string): string {
  const partial = textOf(raw, 'Partial Mode');
  const words = [
    raw['Parallel Aware'] === true && 'Parallel',
    partial && partial !== 'Simple' && partial,
    textOf(raw, 'Operation') ?? type,
  ];
  return words.filter(Boolean).join(' ');
}

function subjectOf(raw: Raw): string | undefined {
  const relation = textOf(raw, 'Relation Name');
  const schema = textOf(raw, 'Schema');
  const alias = textOf(raw, 'Alias');
  const name = relation ?? textOf(raw, 'Function Name') ?? textOf(raw, 'CTE Name');
  const full = name && schema && schema !== 'public' ? `${schema}.${name}` : name;
  const named = full && alias && alias !== name ? `${full} ${alias}` : (full ?? alias);
  const parts = [textOf(raw, 'Index Name'), named, textOf(raw, 'Subplan Name')].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function detailsOf(raw: Raw): PlanNode['details'] {
  return DETAILS.flatMap((name) => {
    const value = raw[name];
    if (value === undefined || value === null) return [];
    return [{ name, text: Array.isArray(value) ? value.join(', ') : String(value) }];
  });
}

function numberOf(raw: Raw, name: string): number | undefined {
  const value = raw[name];
  return typeof value === 'number' ? value : undefined;
}

function textOf(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function scaled(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

function sumOf(nodes: readonly PlanNode[], amountOf: (node: PlanNode) => number): number {
  return nodes.reduce((sum, node) => sum + amountOf(node), 0);
}
