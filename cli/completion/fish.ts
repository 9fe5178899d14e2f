/** Completion for fish. */
import type { CompletionNodes, Flag } from './nodes.ts';
import { quoteForFish } from './quote.ts';

/** Returns the script, with one line for each candidate. */
export function fishCompletion({ nodes, globalFlags }: CompletionNodes): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path));
  const takesValue = ({ values }: Flag) => values !== undefined;
  const withValue = [
    ...nodes.flatMap(({ path, flags }) =>
      flags.filter(takesValue).map(({ word }) => quoteForFish(`${path} ${word}`)),
    ),
    ...globalFlags.filter(takesValue).map(({ word }) => quoteForFish(`* ${word}`)),
  ];
  const lines = nodes.flatMap(({ path, subcommands, flags }) => {
    const condition = `-n ${quoteForFish(`__greenroom_at ${quoteForFish(path)}`)}`;
    return [
      ...subcommands.map(
        ({ word, summary }) => `complete -c greenroom -f ${condition} -a ${word} -d ${quoteForFish(summary)}`,
      ),
      ...flags.map((flag) => `complete -c greenroom ${condition} ${flagOf(flag)}`),
    ];
  });
  return `# Completion of greenroom for fish. Load it: greenroom completion fish | source
function __greenroom_at
    set -l at
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case '-*=*'
            case '-*'
                switch "$at $word"
                    case ${withValue.join(' ')}
                        set skip 1
                end
            case '*'
                switch (string trim -- "$at $word")
                    case ${paths.join(' ')}
                        set at (string trim -- "$at $word")
                end
        end
    end
    test "$at" = "$argv[1]"
end

${[...lines, ...globalFlags.map((flag) => `complete -c greenroom ${flagOf(flag)}`)].join('\n')}
`;
}

function flagOf({ word, summary, values, isPath }: Flag): string {
  const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
  const value = values === undefined ? '' : ` -r${isPath ? 'F' : 'f'}`;
  const words = values && values.length > 0 ? ` -a ${quoteForFish(values.join(' '))}` : '';
  return `${name}${value}${words} -d ${quoteForFish(summary)}`;
}
