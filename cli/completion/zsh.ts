/** Completion for zsh. */
import type { CompletionNodes, Flag } from './nodes.ts';
import { quoteForShell } from './quote.ts';

/** Returns the script, which shows the summaries. It works as a file of `$fpath`, and if it is sourced. */
export function zshCompletion({ nodes, globalFlags }: CompletionNodes): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoteForShell(path));
  const cases = (entries: readonly { path: string; items: readonly { word: string; summary: string }[] }[]) =>
    entries
      .filter(({ items }) => items.length > 0)
      .map(({ path, items }) => `      ${quoteForShell(path)}) found+=(${items.map(described).join(' ')}) ;;`)
      .join('\n');
  const takesValue = ({ values }: Flag) => values !== undefined;
  const patterns = [
    ...nodes.flatMap(({ path, flags }) =>
      flags.filter(takesValue).map(({ word }) => quoteForShell(`${path} ${word}`)),
    ),
    ...globalFlags.filter(takesValue).map(({ word }) => `*${quoteForShell(` ${word}`)}`),
  ];
  const values = nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values: words = [] }) =>
      words.length === 0
        ? []
        : [
            `      ${quoteForShell(`${path} ${word}`)}) compadd -- ${words.map(quoteForShell).join(' ')}; return ;;`,
          ],
    ),
  );
  return `#compdef greenroom
# Completion of greenroom for zsh. Load it: source <(greenroom completion zsh)
_greenroom() {
  local at='' option='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then option=''; continue; fi
    case $word in
      -*=*) ;;
      -*)
        case "$at $word" in
          ${patterns.join(' | ')}) option=$word ;;
        esac
        ;;
      *)
        case "\${at:+$at }$word" in
          ${paths.join(' | ')}) at="\${at:+$at }$word" ;;
        esac
        ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$at $option" in
${values.join('\n')}
    esac
    _files
  elif [[ $PREFIX == -* ]]; then
    found=(${globalFlags.map(described).join(' ')})
    case $at in
${cases(nodes.map(({ path, flags }) => ({ path, items: flags })))}
    esac
    _describe -o option found
  else
    case $at in
${cases(nodes.map(({ path, subcommands }) => ({ path, items: subcommands })))}
    esac
    if (( \${#found} )); then _describe command found; else _files; fi
  fi
}

if [[ \${funcstack[1]} == _greenroom ]]; then _greenroom "$@"; else compdef _greenroom greenroom; fi
`;
}

/** A colon ends the word. */
function described({ word, summary }: { word: string; summary: string }): string {
  return quoteForShell(`${word.replaceAll(':', '\\:')}:${summary}`);
}
