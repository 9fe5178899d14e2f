/** The result of `explain`: the plan as a tree, in which the costliest nodes are marked. */
import { useState } from 'react';
import { formatNumber } from '../../../../lib/format/number.ts';
import type { RunResult } from '../../../../session/meta-client.server.ts';
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { formatMs } from '../format-ms.ts';
import { type Plan, type PlanNode, parsePlan } from './explain-tree.ts';

const MAX_FACTOR_DIGITS = 10;

/** Whether a result is a plan as JSON. */
export function isPlan({ results, error }: RunResult): boolean {
  const [column] = results[0]?.columns ?? [];
  return error === null && results.length === 1 && column?.name === 'QUERY PLAN' && column.type === 'json';
}

/** `result` is a plan. */
export function PlanResult({ result }: { result: RunResult }) {
  const texts = useTexts(sqlResultTexts);
  const json = result.results[0]?.rows[0]?.[0] ?? '';
  const plan = parsePlan(json);
  if (plan === undefined) return <pre className="card overflow-auto p-4 font-mono text-small">{json}</pre>;
  return (
    <div className="grid gap-3">
      <Facts plan={plan} isRolledBack={!result.is_committed} />
      <ul aria-label={texts.plan.label} className="card overflow-x-auto px-3 py-2">
        <Node node={plan.root} />
      </ul>
      <details className="text-small">
        <summary className="cursor-pointer text-ink-muted">{texts.plan.raw}</summary>
        <pre className="card mt-2 max-h-96 overflow-auto p-4 font-mono">{json}</pre>
      </details>
    </div>
  );
}

function Facts({ plan, isRolledBack }: { plan: Plan; isRolledBack: boolean }) {
  const texts = useTexts(sqlResultTexts);
  const language = useLanguage();
  const { planningMs, executionMs, triggers, root } = plan;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-muted tabular-nums">
      {planningMs !== undefined && <li>{texts.plan.planning(formatMs(planningMs, language))}</li>}
      {executionMs !== undefined && <li>{texts.plan.execution(formatMs(executionMs, language))}</li>}
      <li>{texts.plan.cost(formatNumber(Math.round(root.totalCost), language))}</li>
      {triggers.map(({ name, ms }) => (
        <li key={name}>{texts.plan.trigger(name, formatMs(ms, language))}</li>
      ))}
      {isRolledBack && executionMs !== undefined && <li>{texts.rolledBack}</li>}
    </ul>
  );
}

function Node({ node }: { node: PlanNode }) {
  const texts = useTexts(sqlResultTexts).plan;
  const language = useLanguage();
  const percent = formatNumber(Math.round(node.share * 100), language);
  return (
    <li className="py-1">
      <div
        data-costly={node.mark && true}
        className="rounded-control border border-line bg-surface px-3 py-2 data-costly:border-warning-line
          data-costly:bg-warning-wash"
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{node.type}</span>
          {node.subject && <span className="font-mono text-small text-ink-muted">{node.subject}</span>}
          {node.mark && <Badge tone="warning">{texts.marks[node.mark]}</Badge>}
          {node.isNeverExecuted && <Badge>{texts.never}</Badge>}
          <Misestimate node={node} />
          <span className="ms-auto flex items-center gap-2 text-small tabular-nums">
            {node.ownMs !== undefined && formatMs(node.ownMs, language)}
            {node.ownMs !== undefined && ' ms · '}
            {texts.share(percent)}
          </span>
        </div>
        <progress
          aria-label={texts.share(percent)}
          max={1}
          value={node.share}
          className="progress mt-1.5 block h-1 w-full"
        />
        <NodeFacts node={node} />
        {node.details.length > 0 && <Details node={node} />}
      </div>
      {node.children.length > 0 && (
        <ul className="ms-4 border-s border-line ps-3">
          {node.children.map((child) => (
            <Node key={child.key} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Misestimate({ node }: { node: PlanNode }) {
  const texts = useTexts(sqlResultTexts).plan;
  const language = useLanguage();
  if (!node.misestimate) return null;
  const { factor, isMore } = node.misestimate;
  const text = formatNumber(
    factor < MAX_FACTOR_DIGITS ? Math.round(factor * 10) / 10 : Math.round(factor),
    language,
  );
  return <Badge tone="danger">{isMore ? texts.more(text) : texts.fewer(text)}</Badge>;
}

function NodeFacts({ node }: { node: PlanNode }) {
  const texts = useTexts(sqlResultTexts).plan;
  const language = useLanguage();
  const { actualRows, loops, removedRows, readBlocks } = node;
  const facts = [
    actualRows !== undefined && texts.actualRows(Math.round(actualRows)),
    texts.estimatedRows(node.estimatedRows),
    loops !== undefined && loops > 1 && texts.loops(loops),
    texts.cost(formatNumber(Math.round(node.ownCost), language)),
    removedRows ? texts.removed(Math.round(removedRows)) : false,
    readBlocks ? texts.read(readBlocks) : false,
  ].filter((fact) => fact !== false);
  return <p className="mt-1 text-caption text-ink-muted tabular-nums">{facts.join(' · ')}</p>;
}

/** Conditions are visible at once; the output, which is long, on demand. */
function Details({ node }: { node: PlanNode }) {
  const texts = useTexts(sqlResultTexts).plan;
  const [isOpen, setOpen] = useState(false);
  const shown = node.details.filter(({ name }) => isOpen || name !== 'Output');
  return (
    <>
      <dl className="mt-1 font-mono text-caption">
        {shown.map(({ name, text }) => (
          <div key={name} className="flex gap-2">
            <dt className="shrink-0 text-ink-muted">{name}:</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{text}</dd>
          </div>
        ))}
      </dl>
      {!isOpen && shown.length < node.details.length && (
        <button type="button" className="text-caption text-ink-muted underline" onClick={() => setOpen(true)}>
          {texts.details}
        </button>
      )}
    </>
  );
}
