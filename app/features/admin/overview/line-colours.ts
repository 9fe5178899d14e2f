/** Classes with the colours of the lines of a chart as their background, in the order of the lines. */
const LINE_COLOURS = ['bg-primary', 'bg-warning-ink', 'bg-danger-ink', 'bg-info-ink'] as const;

/** Returns the class of a line. */
export function lineColour(index: number): string {
  return LINE_COLOURS[index % LINE_COLOURS.length] ?? LINE_COLOURS[0];
}
