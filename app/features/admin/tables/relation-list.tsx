/** The schemas with their tables and views, and a search for them. */
import { useState } from 'react';
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import { formatSize } from '../../../lib/format/size.ts';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { type Selection, tablesPath } from './table-address.ts';
import type { Relation } from './table-model.ts';

/** Links to all relations whose names contain the search. */
export function RelationList({
  relations,
  selection,
}: {
  relations: readonly Relation[];
  selection: Selection;
}) {
  const { list } = useTexts(adminTablesTexts);
  const [search, setSearch] = useState('');
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean);
  const isFound = ({ schema, name }: Relation) =>
    words.every((word) => `${schema}.${name}`.toLowerCase().includes(word));
  const schemas = Map.groupBy(relations.filter(isFound), ({ schema }) => schema);
  if (relations.length === 0) {
    return (
      <div className="card">
        <EmptyState icon="lucide:table-2" title={list.empty} text={list.emptyText} />
      </div>
    );
  }
  return (
    <nav aria-label={list.label} className="card flex flex-col lg:max-h-[calc(100dvh-9rem)]">
      <div className="border-b border-line p-2">
        <input
          type="search"
          value={search}
          aria-label={list.search}
          placeholder={list.search}
          onChange={(event) => setSearch(event.target.value)}
          className="control h-9 w-full px-3"
        />
      </div>
      <div className="min-h-0 overflow-y-auto p-2">
        {schemas.size === 0 && <p className="px-2 py-3 text-small text-ink-muted">{list.none}</p>}
        {[...schemas].map(([schema, members]) => (
          <section key={schema} aria-label={schema} className="mb-2 last:mb-0">
            <h2 className="px-2 py-1 text-caption font-medium text-ink-muted">{schema}</h2>
            <ul>
              {members.map((relation) => (
                <li key={relation.name}>
                  <RelationLink relation={relation} isCurrent={isOpen(relation, selection)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function isOpen({ schema, name }: Relation, selection: Selection): boolean {
  return schema === selection.schema && name === selection.table;
}

function RelationLink({ relation, isCurrent }: { relation: Relation; isCurrent: boolean }) {
  const { list } = useTexts(adminTablesTexts);
  const language = useLanguage();
  const { schema, name, kind, rows, bytes } = relation;
  const isStored = kind === 'table' || kind === 'materialized';
  const facts = [
    ...(kind === 'table' ? [] : [list.kinds[kind]]),
    ...(isStored
      ? [
          rows === null ? list.unknownRows : list.rows(formatNumber(rows, language)),
          formatSize(bytes, language),
        ]
      : []),
  ];
  return (
    <Link
      to={tablesPath({ schema, table: name })}
      aria-current={isCurrent ? 'true' : undefined}
      className="block rounded-control px-2 py-1.5 -outline-offset-2! hover:bg-hover aria-[current]:bg-hover"
    >
      <span className={`block truncate text-body ${isCurrent ? 'font-medium' : ''}`}>{name}</span>
      <span className="block truncate text-caption text-ink-muted">{facts.join(' · ')}</span>
    </Link>
  );
}
