/** Completion for bash. */
import type { CompletionNodes, Flag } from './nodes.ts';
import { quoteForShell } from './quote.ts';

/** Returns the script. Bash treats `=` as a separate word, so `--option=value` is three words. */
export function bashCompletion({ nodes, globalFlags }: CompletionNodes): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoteForShell(path));
  const subcommands = nodes
    .filter((node) => node.subcommands.length > 0)
    .map((node) => `    ${quoteForShell(node.path)}) words=${wordsOf(node.subcommands)} ;;`);
  const flags = nodes
    .filter((node) => node.flags.length > 0)
    .map((node) => `    ${quoteForShell(node.path)}) words+=${quoteForShell(` ${plain(node.flags)}`)} ;;`);
  return `# Completion of greenroom for bash. Load it: source <(greenroom completion bash)
_greenroom() {
  local current=\${COMP_WORDS[COMP_CWORD]} at='' option='' word index words=''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $option ]]; then option=''; continue; fi
    case $word in
      -*) if _greenroom_takes_value "$at" "$word"; then option=$word; fi ;;
      *)
        case "\${at:+$at }$word" in
          ${paths.join(' | ')}) at="\${at:+$at }$word" ;;
        esac
        ;;
    esac
  done
  if [[ $current == '=' ]]; then current=''; fi
  COMPREPLY=()
  if [[ -n $option ]]; then
    case "$at $option" in
${valueCases({ nodes, globalFlags }).join('\n')}
    esac
  elif [[ $current == -* ]]; then
    words=${quoteForShell(plain(globalFlags))}
    case $at in
${flags.join('\n')}
    esac
  else
    case $at in
${subcommands.join('\n')}
    esac
  fi
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}

_greenroom_takes_value() {
  case "$1 $2" in
    ${optionPatterns({ nodes, globalFlags }).join(' | ')}) return 0 ;;
  esac
  return 1
}

complete -o default -F _greenroom greenroom
`;
}

function plain(candidates: readonly { word: string }[]): string {
  return candidates.map(({ word }) => word).join(' ');
}

function wordsOf(candidates: readonly { word: string }[]): string {
  return quoteForShell(plain(candidates));
}

/** Options of one command, and options of all commands. */
function optionPatterns({ nodes, globalFlags }: CompletionNodes): string[] {
  const takesValue = ({ values }: Flag) => values !== undefined;
  return [
    ...nodes.flatMap(({ path, flags }) =>
      flags.filter(takesValue).map(({ word }) => quoteForShell(`${path} ${word}`)),
    ),
    ...globalFlags.filter(takesValue).map(({ word }) => `*${quoteForShell(` ${word}`)}`),
  ];
}

/** An option without a list of values is completed by the names of files. */
function valueCases({ nodes }: CompletionNodes): string[] {
  return nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ word, values }) =>
      values === undefined || values.length === 0
        ? []
        : [`      ${quoteForShell(`${path} ${word}`)}) words=${quoteForShell(values.join(' '))} ;;`],
    ),
  );
}
